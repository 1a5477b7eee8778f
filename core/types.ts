/**
 * The registry of the built-in types: name, group, country, and default setting. Consoles, tools, settings and documents
 * read it.
 */

import type { IdentifierKind } from './recognizers/identifiers/identifier.ts';
import { identifierTypes } from './recognizers/identifiers/types.ts';
import { tokenTypes } from './tokens/token-types.ts';

/** Groups of types; a setting may name a group instead of its types. */
export const typeGroups = [
  'PERSON',
  'CONTACT',
  'NATIONAL_ID',
  'TAX',
  'HEALTH',
  'DOCUMENT',
  'FINANCE',
  'COMPANY',
  'SECRETS',
  'DEVICE',
  'VEHICLE',
] as const;
export type TypeGroup = (typeof typeGroups)[number];

/** One built-in type. */
export type TypeInfo = {
  readonly type: string;
  readonly group: TypeGroup;
  readonly default: 'on' | 'off';
  /** ISO 3166-1 code of a type that is specific to a country. */
  readonly country?: string;
};

const named: Readonly<Record<string, readonly [group: TypeGroup, en: string, ja: string, country?: string]>> = {
  NAME: ['PERSON', 'Name of a person', '氏名'],
  EMAIL: ['CONTACT', 'E-mail address', 'メールアドレス'],
  PHONE: ['CONTACT', 'Telephone number', '電話番号'],
  ADDRESS: ['CONTACT', 'Postal address', '住所'],
  CREDIT_CARD: ['FINANCE', 'Payment card number', 'クレジットカード番号'],
  PASSPORT: ['DOCUMENT', 'Passport number', '旅券番号'],
  SSN: ['NATIONAL_ID', 'US Social Security number', '米国社会保障番号', 'US'],
  MY_NUMBER: ['NATIONAL_ID', 'Japanese individual number (My Number)', 'マイナンバー', 'JP'],
  IP_ADDRESS: ['DEVICE', 'IP address', 'IP アドレス'],
  API_KEY: ['SECRETS', 'API key or access token', 'API キー・アクセストークン'],
  DATE_OF_BIRTH: ['PERSON', 'Date of birth', '生年月日'],
  BANK_ACCOUNT: ['FINANCE', 'Bank account number', '銀行口座番号'],
  COMPANY_NAME_JP: ['COMPANY', 'Name of a Japanese company', '会社名', 'JP'],
  IBAN: ['FINANCE', 'International bank account number (IBAN)', '国際銀行口座番号（IBAN）'],
  DRIVER_LICENSE: ['DOCUMENT', "Driver's license number", '運転免許証番号'],
  HEALTH_INSURANCE: ['HEALTH', 'Health insurance number', '健康保険証の記号・番号'],
  PENSION_NUMBER: ['NATIONAL_ID', 'Pension number', '基礎年金番号', 'JP'],
  RESIDENCE_CARD: ['NATIONAL_ID', 'Residence card number', '在留カード番号', 'JP'],
  TAX_ID: ['TAX', 'Tax identification number', '納税者番号・法人番号'],
  VEHICLE_PLATE: ['VEHICLE', 'Vehicle registration plate', '自動車登録番号'],
  MAC_ADDRESS: ['DEVICE', 'MAC address', 'MAC アドレス'],
  PASSWORD: ['SECRETS', 'Password', 'パスワード'],
  PRIVATE_KEY: ['SECRETS', 'Private key', '秘密鍵'],
  JWT: ['SECRETS', 'JSON Web Token', 'JSON Web Token'],
  CRYPTO_ADDRESS: ['FINANCE', 'Wallet address', '暗号資産のアドレス'],
  SEED_PHRASE: ['SECRETS', 'Recovery phrase of a wallet', 'ウォレットの復元フレーズ'],
  SESSION_TOKEN: ['SECRETS', 'Session cookie', 'セッション Cookie'],
  MRZ: ['DOCUMENT', 'Machine readable zone', '機械読取領域（MRZ）'],
  SWIFT_BIC: ['FINANCE', 'Bank identifier (BIC)', '銀行コード（BIC）'],
  IN_UPI: ['FINANCE', 'Indian payment address (UPI)', 'UPI アドレス', 'IN'],
  USERNAME: ['PERSON', 'User name', 'ユーザー名'],
  IMEI: ['DEVICE', 'Phone serial number (IMEI)', '端末識別番号（IMEI）'],
  IMSI: ['DEVICE', 'Subscriber number (IMSI)', '加入者識別番号（IMSI）'],
  ICCID: ['DEVICE', 'SIM card number', 'SIM カード番号'],
  VIN: ['VEHICLE', 'Vehicle identification number', '車台番号'],
  CARD_CVV: ['FINANCE', 'Card security code', 'セキュリティコード'],
  CARD_EXPIRY: ['FINANCE', 'Card expiry date', 'カードの有効期限'],
  OTP_CODE: ['SECRETS', 'One-time code or PIN', 'ワンタイムコード・暗証番号'],
};

const offByDefault: ReadonlySet<string> = new Set(['USERNAME']);

const kinds: Readonly<Record<IdentifierKind, readonly [group: TypeGroup, en: string, ja: string]>> = {
  'national-id': ['NATIONAL_ID', 'national ID', '国民識別番号'],
  'social-security': ['NATIONAL_ID', 'social security number', '社会保障番号'],
  'id-card': ['NATIONAL_ID', 'identity card', '身分証番号'],
  'tax-id': ['TAX', 'tax number', '納税者番号'],
  vat: ['TAX', 'VAT number', '付加価値税番号'],
  health: ['HEALTH', 'health number', '医療・健康保険番号'],
  passport: ['DOCUMENT', 'passport', '旅券番号'],
  driver: ['DOCUMENT', "driver's license", '運転免許証番号'],
  bank: ['FINANCE', 'bank account', '銀行口座'],
  company: ['COMPANY', 'company number', '法人番号'],
  device: ['DEVICE', 'device number', '端末番号'],
  vehicle: ['VEHICLE', 'vehicle number', '車両番号'],
  address: ['CONTACT', 'postal code', '郵便番号'],
  phone: ['CONTACT', 'phone number', '電話番号'],
  person: ['PERSON', 'personal fact', '個人に関する事実'],
};

/** All built-in types, in the order of {@link tokenTypes}. */
export const typeInfos: readonly TypeInfo[] = tokenTypes.map(infoOf);

function infoOf(type: string): TypeInfo {
  const own = named[type];
  const group = own?.[0] ?? kinds[kindOf(type)][0];
  const country = own === undefined ? countryOf(type) : own[3];
  return { type, group, default: offByDefault.has(type) ? 'off' : 'on', ...(country === undefined ? {} : { country }) };
}

function kindOf(type: string): IdentifierKind {
  return identifierTypes.find((one) => one.type === type)?.kind ?? 'national-id';
}

function countryOf(type: string): string {
  return type.startsWith('UK_') ? 'GB' : type.slice(0, 2);
}

/** The display name of a type; a dictionary label is its own name. */
export function typeLabel(type: string, lang: 'en' | 'ja'): string {
  const own = named[type];
  if (own !== undefined) return own[lang === 'ja' ? 2 : 1];
  if (!byType.has(type)) return type;
  // Country names need a runtime table that is slow to open, so names are made on demand.
  const names = new Intl.DisplayNames([lang], { type: 'region', style: 'short' });
  const country = names.of(countryOf(type)) ?? countryOf(type);
  // `DE_TAX_ID` → `TAX ID` tells two numbers of one kind and country apart.
  const mark = type.slice(3).replaceAll('_', ' ');
  const [, english, japanese] = kinds[kindOf(type)];
  return lang === 'ja' ? `${country}の${japanese}（${mark}）` : `${country}: ${english} (${mark})`;
}

const byType = new Map(typeInfos.map((info) => [info.type, info]));

/** The setting of a type or group. */
export type TypeSettings<Setting = unknown> = Readonly<Record<string, Setting>>;

/** The setting of a type: its own, else that of its group, else its default. */
export function settingOf<Setting>(type: string, settings: TypeSettings<Setting>): Setting | 'on' | 'off' {
  const info = byType.get(type);
  return settings[type] ?? (info === undefined ? undefined : settings[info.group]) ?? info?.default ?? 'on';
}

/** The types that are not set to `off`. */
export function typesOn(settings: TypeSettings): string[] {
  return tokenTypes.filter((type) => settingOf(type, settings) !== 'off');
}

/** The types that are on by default. */
export const defaultTypes: readonly string[] = typesOn({});
