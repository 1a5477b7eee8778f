/** What each type of personal data is called, for people and models. */
import type { tokenTypes } from '../core/token-types.ts';
import type { Language } from './words.ts';

/** The names by type and language. */
export const typeNames: Readonly<Record<(typeof tokenTypes)[number], Readonly<Record<Language, string>>>> = {
  NAME: { en: 'Name of a person', ja: '氏名' },
  EMAIL: { en: 'E-mail address', ja: 'メールアドレス' },
  PHONE: { en: 'Telephone number', ja: '電話番号' },
  ADDRESS: { en: 'Postal address', ja: '住所' },
  CREDIT_CARD: { en: 'Payment card number', ja: 'クレジットカード番号' },
  PASSPORT: { en: 'Passport number', ja: '旅券番号' },
  SSN: { en: 'US Social Security number', ja: '米国社会保障番号' },
  MY_NUMBER: { en: 'Japanese individual number (My Number)', ja: 'マイナンバー' },
  IP_ADDRESS: { en: 'IP address', ja: 'IP アドレス' },
  API_KEY: { en: 'API key or access token', ja: 'API キー・アクセストークン' },
  DATE_OF_BIRTH: { en: 'Date of birth', ja: '生年月日' },
  BANK_ACCOUNT: { en: 'Bank account number', ja: '銀行口座番号' },
  COMPANY_NAME_JP: { en: 'Name of a Japanese company', ja: '会社名' },
  IBAN: { en: 'International bank account number (IBAN)', ja: '国際銀行口座番号 (IBAN)' },
  DRIVER_LICENSE: { en: "Driver's licence number", ja: '運転免許証番号' },
  HEALTH_INSURANCE: { en: 'Health insurance number', ja: '健康保険証の記号・番号' },
  PENSION_NUMBER: { en: 'Pension number', ja: '基礎年金番号' },
  RESIDENCE_CARD: { en: 'Residence card number', ja: '在留カード番号' },
  TAX_ID: { en: 'Tax identification number', ja: '納税者番号・法人番号' },
  VEHICLE_PLATE: { en: 'Vehicle registration plate', ja: '自動車登録番号' },
  MAC_ADDRESS: { en: 'MAC address', ja: 'MAC アドレス' },
  PASSWORD: { en: 'Password', ja: 'パスワード' },
  PRIVATE_KEY: { en: 'Private key', ja: '秘密鍵' },
  JWT: { en: 'JSON Web Token', ja: 'JSON Web Token' },
};
