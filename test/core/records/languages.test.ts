/** Headings and labels of many languages name their values, and words for a missing value are none. */
import { expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';

const detector = new Detector();

/** The text with each detection in the brackets that mark the expected ones. */
function marked(text: string): string {
  let shown = '';
  let done = 0;
  for (const { start, end } of detector.detect(text)) {
    shown += `${text.slice(done, start)}⟦${text.slice(start, end)}⟧`;
    done = end;
  }
  return shown + text.slice(done);
}

const records = [
  'Ad Soyad: ⟦Mehmet Yılmaz⟧\nDoğum Tarihi: ⟦23.04.1975⟧\nCep Telefonu: ⟦0532 123 45 67⟧\nPlaka: ⟦34 ABC 123⟧\nŞifre: ⟦gizli2024⟧',
  'Όνομα: ⟦Ελένη⟧\nΕπώνυμο: ⟦Παπαδοπούλου⟧\nΤηλέφωνο: ⟦694 123 4567⟧',
  "Прізвище: ⟦Коваленко⟧\nІм'я: ⟦Оксана⟧\nДата народження: ⟦05.11.1992⟧",
  'Imię i nazwisko: ⟦Katarzyna Lewandowska⟧\nNumer telefonu: ⟦501 234 567⟧',
  'Jméno a příjmení: ⟦Petr Novák⟧\nTelefonní číslo: ⟦602 123 456⟧',
  'Nume și prenume: ⟦Andrei Ionescu⟧\nData nașterii: ⟦12.05.1980⟧\nParolă: ⟦hoasen88!⟧',
  'Név: ⟦Nagy István⟧\nTelefonszám: ⟦06 30 123 4567⟧\nJelszó: ⟦hoasen88!⟧',
  'Họ và tên: ⟦Trần Văn Nam⟧\nNgày sinh: ⟦02/09/1990⟧\nMật khẩu: ⟦hoasen88!⟧\nMã xác nhận: ⟦559201⟧',
  'Nama Lengkap: ⟦Budi Santoso⟧\nNo HP: ⟦0812-3456-7890⟧\nNo Rekening: ⟦1234567890⟧\nKata sandi: ⟦hoasen88!⟧',
  'ชื่อ,นามสกุล,เบอร์โทร\n⟦มานี⟧,⟦รักเรียน⟧,⟦081-234-5678⟧\n⟦ปิติ⟧,⟦พอใจ⟧,⟦089-876-5432⟧',
  '{"الاسم":"⟦خالد المنصوري⟧","رقم الجوال":"⟦+971 50 123 4567⟧","تاريخ الميلاد":"⟦12/03/1988⟧"}',
  'رقم الحساب: ⟦1020304050⟧\nجواز السفر: ⟦A12345678⟧\nكلمة المرور: ⟦hoasen88!⟧',
  'نام: ⟦علی⟧\nنام خانوادگی: ⟦رضایی⟧\nشماره تلفن: ⟦0912 345 6789⟧',
  'שם פרטי,שם משפחה,נייד\n⟦יעל⟧,⟦לוי⟧,⟦054-1234567⟧',
  '| नाम | मोबाइल | जन्म तिथि |\n|---|---|---|\n| ⟦रोहन वर्मा⟧ | ⟦98765 43210⟧ | ⟦15/08/1990⟧ |',
  'নাম: ⟦রহিম উদ্দিন⟧\nমোবাইল: ⟦01712-345678⟧',
  '收件人：⟦陳怡君⟧\n聯絡電話：⟦0912-345-678⟧\n密碼：⟦hoasen88!⟧',
  '성명;생년월일;연락처\n⟦박지훈⟧;⟦1991-04-12⟧;⟦010-9876-5432⟧',
  '{"name":{"first":"⟦Jodie⟧","last":"⟦Doe⟧"}}',
  'user:\n  name:\n    first: ⟦jodie⟧\n    last: ⟦gibson⟧\n  role: admin',
  '<name><first>⟦Jodie⟧</first><last>⟦Doe⟧</last></name><range><first>one</first></range>',
  'name,email\n⟦marta⟧,⟦marta@example.com⟧\n⟦tom⟧,⟦t.k@example.com⟧\nconfig,⟦c@example.com⟧',
  '| name | phone |\n|---|---|\n| ⟦marta⟧ | ⟦+1 415 555 2671⟧ |',
  '[{"name":"⟦priya⟧","email":"⟦p@example.com⟧"},{"name":"⟦tom⟧","age":31}]',
  "INSERT INTO users (name,email) VALUES ('⟦marta⟧','⟦m@example.com⟧');",
  'Attendees: ⟦ida⟧, ⟦mikkel⟧ and ⟦priya⟧',
  '{"attendees":["⟦liam⟧","⟦noor⟧"],"members":["alpha","noor"]}',
];

test.each(records)('%s', (expected) => {
  expect(marked(expected.replace(/[⟦⟧]/g, ''))).toBe(expected);
});

const nothing = [
  ...[
    '联系人：无',
    '姓名：必填',
    '担当者：空欄',
    '氏名：同上',
    '담당자: 미정',
    '이름: 필수',
    'Имя: Нет',
    'Ad Soyad: Yok',
  ],
  ...['Ansprechpartner: Keine', 'Kunde: Unbekannt', 'Nom : Inconnu', 'Nome: Nenhum', 'Nazwisko: Brak', 'אין שם: חובה'],
  ...['{"first":1,"last":"page"}', 'Participants: all', 'participants: will be notified', 'dosya adı: rapor'],
  ...['{"name":"tom","version":"1.0"}', 'name,version\nmarta,18\ntom,3', 'The name of the page may change with age.'],
];

test.each(nothing)('%s: nothing', (text) => {
  expect(marked(text)).toBe(text);
});
