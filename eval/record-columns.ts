/** Values of every type under their headings by language, as columns of the tables in `record-forms.ts`. */
import type { Random } from './random.ts';
import { generators, shaped } from './values.ts';

/** A column: its type, its heading by language, and the generator of its values. */
type Column = readonly [type: string, headings: Readonly<Record<string, string>>, value: (random: Random) => string];

const made = (name: string) => (random: Random) => (generators[name] as (random: Random) => string)(random);
const form = (shape: string) => (random: Random) => shaped(random, shape);
const oneOf = (values: readonly string[]) => (random: Random) => values[Math.floor(random() * values.length)] as string;

export const columns: readonly Column[] = [
  ['NAME', { en: 'Full Name', de: 'Name', fr: 'Nom complet', es: 'Nombre completo', key: 'full_name' }, made('en')],
  ['NAME', { ja: '氏名' }, made('jan')],
  ['NAME', { ja: 'フリガナ' }, made('kana')],
  [
    'NAME',
    { en: 'First Name', de: 'Vorname', fr: 'Prénom', es: 'Nombre', key: 'first_name' },
    oneOf(['May', 'Bo', 'Grace', 'Jürgen', 'Oluwaseun', 'Rose', 'Li']),
  ],
  [
    'NAME',
    { en: 'Last Name', de: 'Nachname', fr: 'Nom', es: 'Apellidos', key: 'lastName' },
    oneOf(['Green', 'Ng', 'Baker', 'de la Cruz', 'Okafor', 'Young', 'Le']),
  ],
  ['NAME', { ja: '姓' }, oneOf(['森', '佐伯', '東海林', '林', '中'])],
  [
    'EMAIL',
    { en: 'E-mail', de: 'E-Mail', fr: 'Courriel', es: 'Correo', ja: 'メール', key: 'email' },
    (r) => `${made('local')(r)}@example.com`,
  ],
  ['PHONE', { en: 'Phone', de: 'Telefon', fr: 'Téléphone', es: 'Teléfono', key: 'phone' }, made('us')],
  ['PHONE', { ja: '電話番号', en: 'Mobile', key: 'mobile' }, made('jp-mobile-plain')],
  [
    'ADDRESS',
    { en: 'Address', de: 'Adresse', key: 'address' },
    oneOf(['742 Maple Street, Springfield, IL 62704', '12 Rose Lane, Leeds LS1 4DY', 'Lindenweg 4, 04103 Leipzig']),
  ],
  ['ADDRESS', { ja: '住所' }, oneOf(['東京都渋谷区架空町1-2-3', '大阪府大阪市北区梅田9-8-7 サンプルビル4F'])],
  ['CREDIT_CARD', { en: 'Card Number', de: 'Kartennummer', ja: 'カード番号', key: 'card_number' }, made('visa')],
  [
    'PASSPORT',
    { en: 'Passport No', de: 'Reisepass', fr: 'Passeport', es: 'Pasaporte', ja: '旅券番号', key: 'passport' },
    made('passport-jp'),
  ],
  ['SSN', { en: 'SSN', key: 'ssn' }, made('ssn')],
  ['MY_NUMBER', { ja: 'マイナンバー', en: 'My Number', key: 'my_number' }, made('mn')],
  ['IP_ADDRESS', { en: 'IP Address', de: 'IP-Adresse', ja: 'IPアドレス', key: 'ip' }, form('203.0.113.4#')],
  ['API_KEY', { en: 'API Key', ja: 'APIキー', key: 'api_key' }, made('hf')],
  [
    'DATE_OF_BIRTH',
    { en: 'Date of Birth', de: 'Geburtsdatum', fr: 'Date de naissance', es: 'Fecha de nacimiento', key: 'dob' },
    oneOf(['12.04.1985', '1990-01-31', '04/05/1972']),
  ],
  ['DATE_OF_BIRTH', { ja: '生年月日' }, oneOf(['昭和60年4月1日', '1985/04/01', 'H2.3.4'])],
  [
    'BANK_ACCOUNT',
    { en: 'Account Number', de: 'Kontonummer', fr: 'Numéro de compte', ja: '口座番号', key: 'account_number' },
    form('4#######'),
  ],
  ['COMPANY_NAME_JP', { ja: '会社名' }, oneOf(['株式会社架空商事', 'サンプル工業（株）'])],
  ['IBAN', { en: 'IBAN', de: 'IBAN', fr: 'IBAN', es: 'IBAN', key: 'iban' }, made('DE')],
  [
    'DRIVER_LICENSE',
    { en: 'Driver License', de: 'Führerschein', fr: 'Permis de conduire', ja: '運転免許証番号', key: 'driver_license' },
    form('D1######'),
  ],
  [
    'HEALTH_INSURANCE',
    { en: 'Member ID', de: 'Versichertennummer', ja: '被保険者番号', key: 'member_id' },
    form('XG#######'),
  ],
  ['PENSION_NUMBER', { ja: '基礎年金番号', en: 'Pension Number', key: 'pension_number' }, made('pn')],
  ['RESIDENCE_CARD', { ja: '在留カード番号', en: 'Residence Card', key: 'residence_card' }, made('rc')],
  ['TAX_ID', { en: 'Tax ID', de: 'Steuernummer', ja: '法人番号', key: 'tax_id' }, made('corp')],
  [
    'VEHICLE_PLATE',
    { en: 'License Plate', de: 'Kennzeichen', fr: 'Immatriculation', es: 'Matrícula', key: 'plate' },
    oneOf(['7ABC123', 'B-TL 3421', 'AB-123-CD', '4821 KLM']),
  ],
  ['VEHICLE_PLATE', { ja: '車両番号' }, oneOf(['品川 330 ら 86-17', '横浜 500 さ 12-34'])],
  ['MAC_ADDRESS', { en: 'MAC Address', de: 'MAC-Adresse', ja: 'MACアドレス', key: 'mac' }, form('02:1b:4#:c#:#d:0#')],
  [
    'PASSWORD',
    { en: 'Password', de: 'Passwort', fr: 'Mot de passe', es: 'Contraseña', ja: 'パスワード', key: 'password' },
    made('pw'),
  ],
  ['CARD_CVV', { en: 'CVV', ja: 'セキュリティコード', key: 'cvv' }, form('###')],
  ['JWT', { en: 'Token', key: 'token' }, made('jwt')],
];
