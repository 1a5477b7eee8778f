/** Display names of injection risks and categories. */

/** The hue is that of the marks in a text. */
export type Category = readonly [name: string, about: string, hue: number];
type Named = readonly [name: string, about: string];

const categories: Readonly<Record<string, { readonly hue: number; readonly en: Named; readonly ja: Named }>> = {
  prompt_injection: {
    hue: 25,
    en: ['Prompt injection', 'It gives the model instructions.'],
    ja: ['プロンプトインジェクション', 'モデルに指示を与えようとしています。'],
  },
  role_override: {
    hue: 15,
    en: ['Role override', 'It overrides earlier instructions or gives the model another role.'],
    ja: ['役割の上書き', '以前の指示を無効にするか、別の役割を与えようとしています。'],
  },
  system_prompt_leak: {
    hue: 300,
    en: ['System prompt leak', 'It asks for the model’s instructions.'],
    ja: ['システムプロンプトの漏えい', 'モデルに与えられた指示を聞き出そうとしています。'],
  },
  jailbreak: {
    hue: 340,
    en: ['Jailbreak', 'It tries to make the model ignore its limits.'],
    ja: ['ジェイルブレイク', 'モデルの制限を外そうとしています。'],
  },
  data_exfiltration: {
    hue: 50,
    en: ['Data exfiltration', 'It tries to send data elsewhere through a link, an image or a tool.'],
    ja: ['データの持ち出し', 'リンク・画像・ツールでデータを外部に送らせようとしています。'],
  },
  tool_abuse: {
    hue: 75,
    en: ['Tool abuse', 'It tries to make the model call tools against the user.'],
    ja: ['ツールの悪用', 'ユーザーの意に反してツールを使わせようとしています。'],
  },
  hidden_text: {
    hue: 220,
    en: ['Hidden text', 'Part of it is invisible to readers.'],
    ja: ['隠しテキスト', '人には見えない部分があります。'],
  },
  encoded_payload: {
    hue: 260,
    en: ['Encoded payload', 'Instructions are hidden in an encoding.'],
    ja: ['符号化された指示', '符号化して指示を隠しています。'],
  },
  sql_injection: {
    hue: 180,
    en: ['SQL injection', 'It would change a database query.'],
    ja: ['SQL インジェクション', 'データベースのクエリを書き換えようとしています。'],
  },
};

function categoriesIn(language: 'en' | 'ja'): Readonly<Record<string, Category>> {
  return Object.fromEntries(Object.entries(categories).map(([id, one]) => [id, [...one[language], one.hue]]));
}

export const injectionTexts = {
  en: {
    risks: { none: 'none', low: 'low', medium: 'medium', high: 'high', critical: 'critical' } as Record<string, string>,
    categories: categoriesIn('en'),
  },
  ja: {
    risks: { none: 'なし', low: '低', medium: '中', high: '高', critical: '重大' } as Record<string, string>,
    categories: categoriesIn('ja'),
  },
};
