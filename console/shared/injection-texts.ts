/** What the risks and categories of injections are called. */

/** The hue is that of the marks in a text. */
export type Category = readonly [name: string, about: string, hue: number];

export const injectionTexts = {
  en: {
    risks: { none: 'none', low: 'low', medium: 'medium', high: 'high', critical: 'critical' } as Record<string, string>,
    categories: {
      prompt_injection: ['Prompt injection', 'It gives the model instructions.', 25],
      role_override: ['Role override', 'It overrides earlier instructions or gives the model another role.', 15],
      system_prompt_leak: ['System prompt leak', 'It asks for the instructions of the model.', 300],
      jailbreak: ['Jailbreak', 'It wants the model to drop its limits.', 340],
      data_exfiltration: ['Data exfiltration', 'It wants data sent elsewhere, by a link, image or tool.', 50],
      tool_abuse: ['Tool abuse', 'It wants the model to call tools against the user.', 75],
      hidden_text: ['Hidden text', 'Part of it is invisible to people.', 220],
      encoded_payload: ['Encoded payload', 'Instructions are hidden in an encoding.', 260],
      sql_injection: ['SQL injection', 'It would change a query of a database.', 180],
    } as Record<string, Category>,
  },
  ja: {
    risks: { none: 'なし', low: '低', medium: '中', high: '高', critical: '重大' } as Record<string, string>,
    categories: {
      prompt_injection: ['プロンプトインジェクション', 'モデルに指示を与えようとしています。', 25],
      role_override: ['役割の上書き', '以前の指示を無効にするか、別の役割を与えようとしています。', 15],
      system_prompt_leak: ['システムプロンプトの漏えい', 'モデルに与えられた指示を聞き出そうとしています。', 300],
      jailbreak: ['脱獄', 'モデルの制限を外そうとしています。', 340],
      data_exfiltration: ['データの持ち出し', 'リンク・画像・ツールでデータを外部に送らせようとしています。', 50],
      tool_abuse: ['ツールの悪用', 'ユーザーの意に反してツールを使わせようとしています。', 75],
      hidden_text: ['隠しテキスト', '人には見えない部分があります。', 220],
      encoded_payload: ['符号化された指示', '符号化して指示を隠しています。', 260],
      sql_injection: ['SQL インジェクション', 'データベースの問い合わせを書き換えようとしています。', 180],
    } as Record<string, Category>,
  },
};
