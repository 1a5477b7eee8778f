import { expect, test } from 'vitest';
import { isNoIdentity, isServiceSignIn } from '../../../../gateway/proxy/stages/fields.ts';

test.each([
  ['claude.ai', '/api/auth/send_magic_link'],
  ['claude.ai', '/login?returnTo=%2Fchat'],
  ['auth.openai.com', '/api/accounts/authorize/continue'],
  ['auth.openai.com', '/u/login/identifier'],
  ['auth.openai.com', '/oauth/token'],
  ['console.anthropic.com', '/v1/oauth/token'],
  ['chatgpt.com', '/api/auth/signin/openai?login_hint=ana%40example.com'],
  ['www.perplexity.ai', '/api/auth/signin/email'],
  ['auth.mistral.ai', '/self-service/login'],
  ['a.example', '/api/v0/users/login'],
  ['a.example', '/auth/webauthn/generate-authentication-options'],
  ['a.example', '/api/auth/complete'],
  ['a.example', '/auth/challenge-response'],
  ['a.example', '/users/sign_in'],
  ['a.example', '/v1/client/sign_ins'],
  ['a.example', '/user/log_in'],
  ['chat.deepseek.com', '/api/v0/users/register'],
  ['a.example', '/forgot-password'],
  ['a.example', '/api/reset_password'],
])('%s%s is a sign-in', (host, path) => {
  expect(isServiceSignIn({ host, path }, 300)).toBe(true);
  expect(isServiceSignIn({ host, path }, 0)).toBe(true);
  expect([isServiceSignIn({ host, path }, 20_000), isServiceSignIn({ host, path }, undefined)]).toEqual([false, false]);
});

test.each([
  ['api.openai.com', '/v1/chat/completions'],
  ['api.openai.com', '/v1/chat/completions?next=/oauth/token'],
  ['a.openai.azure.com', '/openai/deployments/login/chat/completions'],
  ['auth.example', '/v1/messages'],
  ['auth.openai.com', '/oauth/../v1/%63hat/completions'],
  ['claude.ai', '/api/auth/..;/x'],
  ['claude.ai', '/api/auth//x'],
  ['claude.ai', '/api/organizations/1/authors'],
  ['claude.ai', '/notes/of/my/own/login'],
  ['generativelanguage.googleapis.com', '/v1beta/login:generateContent'],
  ['authors.example', '/x'],
  ['auth.corp.example', '/graphql'],
  ['hub.example', '/sso/ai/query'],
  ['accounts.x.ai', '/rest/app-chat/anything'],
  ['api.anthropic.com', '/api/oauth/file_upload'],
  ['chat.example', '/auth/v1/ask'],
  ['ai.example', '/sso/api/sendMessage'],
  ['login.example', '/v1beta/streamGenerateContent'],
  ['auth.example', '/v1/chatCompletions'],
  ['auth.example', '/api/chats'],
  ['auth.example', '/v1/textGeneration'],
  ['identity.example', '/api/uploadFile'],
  ['a.example', '/v1/models/register'],
])('%s%s is not a sign-in', (host, path) => {
  expect(isServiceSignIn({ host, path }, 300)).toBe(false);
});

test.each([
  ['EMAIL', 'ana@example.com', false],
  ['API_KEY', 'sk-x', false],
  ['CREDIT_CARD', '4111111111111111', true],
  ['IP_ADDRESS', '127.0.0.1', false],
  ['IP_ADDRESS', '::1', false],
  ['IP_ADDRESS', '203.0.113.77', true],
  ['IP_ADDRESS', '2001:db8::1', true],
])('%s %s is masked in a sign-in: %s', (type, value, expected) => {
  expect(isNoIdentity({ type, value, start: 0, end: value.length, score: 1, recognizer: 'test' })).toBe(expected);
});
