/** A failed call: what happened, what to do, and a button to try again where that may help. */

import { inBoth, type Text } from '../../core/wording/in-both.ts';
import { Button } from './button.ts';
import { html, useEffect, useState, type VNode, type WithChildren } from './html.ts';
import type { Problem } from './http.ts';
import { Note } from './notes.ts';
import { useTexts } from './preferences.ts';
import { useToast } from './toast.ts';

type Words = { readonly title: Text; readonly todo: Text };

const texts = inBoth({
  kinds: {
    away: {
      title: ['The gateway does not respond', 'ゲートウェイが応答しません'],
      todo: [
        'It may be restarting, or the network is down. What you have typed is still here: try again in a moment.',
        '再起動中か、ネットワークに問題があります。入力した内容は残っています。少し待ってからもう一度お試しください。',
      ],
    },
    setup: {
      title: ['The gateway is not set up for this', 'このゲートウェイでは設定されていません'],
      todo: [
        'Ask the administrator of the gateway to set it up.',
        'ゲートウェイの管理者に設定を依頼してください。送信内容を変えても解決しません。',
      ],
    },
    stopped: {
      title: ['Stopped', '中止しました'],
      todo: ['Nothing is lost. You can run it again at any time.', '内容は残っています。いつでもやり直せます。'],
    },
    unauthorized: {
      title: ['The key was not accepted', 'キーが受け付けられませんでした'],
      todo: ['Enter a valid key and try again.', '有効なキーを入力してもう一度お試しください。'],
    },
    credits: {
      title: ['The credits of this month are used up', '今月のクレジットを使い切りました'],
      todo: [
        'They reset on the first of next month (UTC). A larger plan has more.',
        '翌月 1 日（UTC）に回復します。上位プランでも続けられます。',
      ],
    },
    forbidden: {
      title: ['Your key does not allow this', 'このキーでは許可されていません'],
      todo: [
        'It needs another plan or role. Ask your administrator for a suitable key.',
        '別のプランまたは役割が必要です。管理者にキーを依頼してください。',
      ],
    },
    full: {
      title: ['The account has no seat left', 'アカウントのメンバー数が上限に達しています'],
      todo: [
        'Revoke the key of a member, or move the account to a larger plan.',
        'メンバーのキーを取り消すか、上位プランに変更してください。',
      ],
    },
    refused: {
      title: ['The message was not sent', 'メッセージは送信されませんでした'],
      todo: ['Remove what was found and try again.', '検出された内容を除いてもう一度お試しください。'],
    },
    missing: {
      title: ['Not found', '見つかりません'],
      todo: [
        'It may have expired or been deleted. Start again.',
        '終了したか、削除された可能性があります。最初からやり直してください。',
      ],
    },
    conflict: {
      title: ['This conflicts with the current state', '現在の内容と競合しています'],
      todo: [
        'It is already taken, or someone else changed it. Check, then try again.',
        'すでに使われているか、ほかの人が変更しました。内容を確認してからやり直してください。',
      ],
    },
    invalid: {
      title: ['The request has errors', 'リクエストに誤りがあります'],
      todo: ['Correct them and try again.', '誤りを直してもう一度お試しください。'],
    },
    limited: {
      title: ['Too many calls', '呼び出しが多すぎます'],
      todo: [
        'The limit is per minute. What you typed is still here.',
        '上限は 1 分ごとです。入力した内容は残っています。',
      ],
    },
    unavailable: {
      title: ['Part of the gateway is unavailable', 'ゲートウェイの一部が利用できません'],
      todo: [
        'Its store or a model provider does not respond. Try again in a moment.',
        'ストアまたはモデル提供元が応答していません。しばらくしてからお試しください。',
      ],
    },
    failed: {
      title: ['Something went wrong in the gateway', 'ゲートウェイで障害が起きました'],
      todo: [
        'Your text is not the cause. Try again. If it happens again, give your administrator the request ID.',
        '入力の誤りではありません。もう一度試し、続く場合はリクエスト ID を管理者に伝えてください。',
      ],
    },
  } satisfies Record<Problem['kind'] | 'full' | 'stopped' | 'setup', Words>,
  again: ['Try again', 'もう一度試す'],
  againIn: [(seconds: number) => `Try again in ${seconds} s`, (seconds: number) => `${seconds} 秒後に再試行できます`],
  request: [(id: string) => `Request ${id}`, (id: string) => `リクエスト ${id}`],
});

/** Kinds whose hints name fields or the log; what to do on a page is said here. */
const forPrograms: ReadonlySet<Problem['kind']> = new Set(['unauthorized', 'refused', 'limited', 'failed']);

/** Kinds for which the same call may succeed later; for the others the input, the key or the setup must change first. */
const mayPass: ReadonlySet<string> = new Set(['away', 'stopped', 'limited', 'unavailable', 'failed']);

/** The kind to show. A part that is not configured is not the user's mistake, and a full account not that of the key. */
function kindOf({ code, kind, details }: Problem): Problem['kind'] | 'full' | 'stopped' | 'setup' {
  if (code === 'stopped') return 'stopped';
  if (typeof details !== 'object' || details === null) return kind;
  return 'missing' in details ? 'setup' : 'seats' in details ? 'full' : kind;
}

export type ProblemNoteProps = WithChildren<{
  readonly problem: Problem;
  /** Repeats the call, offered only where that may help; the button respects Retry-After. */
  readonly onRetry?: () => void;
}>;

export function ProblemNote({ problem, onRetry, children }: ProblemNoteProps): VNode {
  const words = useTexts(texts);
  const shown = kindOf(problem);
  const { title, todo } = words.kinds[shown];
  const seconds = useSecondsUntil(problem.retryAt);
  const details = shown === 'setup' ? [] : detailsOf(problem.details);
  // The message repeats the fields.
  const isListed = problem.kind === 'invalid' && details.length > 0;
  const hint = forPrograms.has(problem.kind) ? undefined : problem.hint;
  return html`<${Note} tone=${problem.code === 'stopped' ? 'info' : 'bad'} title=${title} isAlert>
    ${!isListed && problem.message !== '' && html`<p>${problem.message}</p>${hint && html`<p>${hint}</p>`}`}
    ${details.length > 0 && html`<ul class="details">${details.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}
    ${(isListed || !hint) && html`<p>${todo}</p>`}
    <p class="note-foot">
      ${children}
      ${
        onRetry &&
        mayPass.has(shown) &&
        html`<${Button} isSmall isDisabled=${seconds > 0} onClick=${onRetry}
          >${seconds > 0 ? words.againIn(seconds) : words.again}</${Button}>`
      }
      ${problem.requestId && html`<span class="quiet-text">${words.request(problem.requestId)}</span>`}
    </p>
  </${Note}>`;
}

/** Reports a problem in a toast, for controls without room for a note. */
export function useProblemToast(): (problem: Problem) => void {
  const words = useTexts(texts);
  const toast = useToast();
  return (problem) => {
    const { title, todo } = words.kinds[kindOf(problem)];
    toast({ text: `${title}. ${problem.message || todo}`, tone: 'bad' });
  };
}

/** Whole seconds left, at least 0. */
function useSecondsUntil(at: number | undefined): number {
  const left = () => Math.max(0, Math.ceil(((at ?? 0) - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    if (at === undefined) return;
    const timer = setInterval(() => setSeconds(left()), 500);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}

/** The fields that the server rejected; other details are for programs. */
function detailsOf(details: unknown): string[] {
  if (!Array.isArray(details)) return [];
  return details.slice(0, 10).map((item) => {
    const { field, message } = (item ?? {}) as { field?: unknown; message?: unknown };
    return field === undefined ? String(message ?? JSON.stringify(item)) : `${field}: ${message}`;
  });
}
