/** How the types of personal data are called and coloured. */
import type { Language } from '../shared/preferences.ts';

/** Type → its names, and its hue in degrees: kin have neighbouring colours. */
const known: Readonly<Record<string, readonly [en: string, ja: string, hue: number]>> = {
  NAME: ['Name', '氏名', 262],
  EMAIL: ['E-mail address', 'メールアドレス', 195],
  PHONE: ['Telephone number', '電話番号', 155],
  ADDRESS: ['Address', '住所', 100],
  DATE_OF_BIRTH: ['Date of birth', '生年月日', 290],
  COMPANY_NAME_JP: ['Company name', '会社名', 230],
  CREDIT_CARD: ['Credit card', 'クレジットカード', 30],
  BANK_ACCOUNT: ['Bank account', '銀行口座', 45],
  IBAN: ['IBAN', 'IBAN', 60],
  MY_NUMBER: ['My Number', 'マイナンバー', 350],
  SSN: ['Social security number', '社会保障番号(米国)', 340],
  PASSPORT: ['Passport', 'パスポート番号', 325],
  DRIVER_LICENSE: ['Driving licence', '運転免許証番号', 310],
  RESIDENCE_CARD: ['Residence card', '在留カード番号', 318],
  HEALTH_INSURANCE: ['Health insurance', '健康保険証番号', 135],
  PENSION_NUMBER: ['Pension number', '基礎年金番号', 120],
  TAX_ID: ['Tax number', '納税者番号', 75],
  VEHICLE_PLATE: ['Number plate', '車両ナンバー', 85],
  IP_ADDRESS: ['IP address', 'IP アドレス', 215],
  MAC_ADDRESS: ['MAC address', 'MAC アドレス', 205],
  API_KEY: ['API key', 'API キー', 15],
  PASSWORD: ['Password', 'パスワード', 5],
  PRIVATE_KEY: ['Private key', '秘密鍵', 22],
  JWT: ['JSON Web Token', 'JWT', 38],
};

/** The built-in types. */
export const piiTypes: readonly string[] = Object.keys(known);

/** `E-mail address`; of a label of a dictionary the label itself. */
export function typeName(type: string, language: Language): string {
  const names = known[type];
  return names === undefined ? type : names[language === 'ja' ? 1 : 0];
}

/** The hue of a type; a label of a dictionary always gets the same one. */
export function typeHue(type: string): number {
  const hue = known[type]?.[2];
  if (hue !== undefined) return hue;
  let sum = 0;
  for (const letter of type) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return sum;
}

/** The type that a token names: `[EMAIL-1]`, `[PROJECT_2]`, `[SECURED:type=EMAIL,id=…]`, `[SRAG:cat=PII,name=EMAIL,id=…]`. */
export function typeOfToken(token: string): string {
  const named = /(?:type|name)=([A-Z0-9_]+)/.exec(token)?.[1];
  return named ?? /^\[([A-Z0-9_]+?)[-_]\d+\]$/.exec(token)?.[1] ?? '';
}
