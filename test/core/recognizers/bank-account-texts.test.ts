import { expect, test } from 'vitest';
import { Detector } from '../../../core/detection.ts';

const detector = new Detector();

function accountsIn(text: string): string[] {
  return detector
    .detect(text)
    .filter(({ type }) => type === 'BANK_ACCOUNT')
    .map(({ value }) => value);
}

const achEntry = '622⟦091000019⟧⟦6027714583⟧       0000120455EMP2041        DANA COLE               0091000010000001';
const zenginHeader =
  '12100001482735ｶ)ﾅｶﾞﾄ ｼｮｸﾋﾝ                            06280138ﾖｺﾊﾏ           548ｶﾝﾅｲ          1⟦6602914⟧                 ';
const zenginEntry =
  '20149ｼｽﾞｵｶ          120ｼﾐｽﾞ               1⟦2048817⟧ｵｶﾀﾞ ﾕｳ                      00000204880000010042          7        ';

/** Accounts stand between `⟦` and `⟧`. */
test.each([
  'BSB 306-089\nAcc ⟦0417 332⟧\n(Acc is my old one, please put ⟦0528 614⟧ there instead.)',
  'The line at the bottom of the cheque reads: "118"  03942-001  ⟦8045-713⟧.',
  'joint acct at TD, ⟦6320418⟧ : mortgage 1,940\n- mine at Tangerine ⟦4017725936⟧ : phone 55',
  'pls use Chase ⟦839201746⟧ not the BofA one, ⟦004417728830⟧ is closed',
  '銀行コード,支店コード,預金種目,口座番号,受取人名,金額\n0009,632,1,⟦6601753⟧,ユ)ナガイウンソウ,74800\n0158,110,2,⟦0012986⟧,カ)ビワコショクヒン,1,204500',
  '社内チャット\n森：立替の振込先どこだっけ\n林：いつものとこ。⟦8829104⟧\n森：みずほだよね？',
  'Account number: ⟦401882917⟧. Confirmed by callback to (02) 5550 4417. Limit $5,000.',
  'phone +81 3 5555 0174, bank transfer to ordinary account number ⟦2094417⟧ (branch 118)',
  'moved from your instant saver ⟦70448213⟧ into your current account ⟦10448291⟧. Call ID 88204417.',
  'My SSS no. is 04-4821337-0, and BPI savings ⟦4482-1337-09⟧ for the loan proceeds.',
  'Rent goes to Mrs. Okoye: Zenith Bank ⟦2204482177⟧. Tenancy ref T-2041.',
  'Our bank: Westpac Sydney\nBSB/Acc: 032-001 / ⟦448 213⟧\nYour ref: PO 7788120',
  '海外送金：受取銀行 Bangkok Bank、口座 ⟦204-4-82133-7⟧、請求 INV-4482',
  'void chk attached, bottom reads ⟦021000021⟧ ⟦448213377⟧ 0101.',
  'Need to tell the Revenue my account; AIB 93-00-67 ⟦44821337⟧.',
  '給与：銀行=0033 支店=001 科目=普通 番号=⟦4482133⟧ 社員=20448',
  // Records.
  `Is this ACH entry ok? The bank says R04\n${achEntry}`,
  `全銀データです\n${zenginHeader}\n${zenginEntry}`,
  '全銀ファイルの確認\n1,21,0,0000418830,ﾌﾚﾝﾄﾞ,0625,0138,ｼｽﾞｵｶ,120,ｵｼｶ,1,⟦0662917⟧\n2,0149,ｽﾙｶﾞ,,,,1,⟦1190472⟧,ﾓﾁﾂﾞｷ ｴﾐ,162750,0,1011,,',
  'bank file\n1013-225⟦028817364⟧ 530000120400K DOYLE                         ',
  'BACS file from the bank\n201109⟦58203917⟧099309457⟦71820364⟧    00000120000',
  'Wells Fargo Bank\n⑆⟦091000019⟧⑆ ⟦6027714583⟧⑈ 1182',
  'the bank cheque: ⑈001042⑈ 20⑉11⑉09⑆ ⟦58203917⟧⑈',
  // The same number once more, and a slip of the pen.
  'Please check account number ⟦40928817⟧ at our bank. The file says ⟦40928817⟧, too.',
  'My saved bank account number is ⟦220017483⟧. The portal says ⟦2200174830⟧.',
  'My checking account number is ⟦7720041938⟧; the form had ⟦7720041983⟧ on it.',
  // Answers in a later turn.
  "Agent: And could I get the checking account number you'd like it paid to?\nCaller: Yeah, hold on, I have got it here. It's, uh, ⟦4471 0092 338⟧.",
  'which account should the bonus go to?\n[10:03] Marcus: the Chase one pls, ⟦550219746⟧\n[10:05] Marcus: ugh sorry, last digit is 8: ⟦550219748⟧',
  'customer: ok fine. monzo, 04-00-04\ncustomer: ⟦88213056⟧\nagent: Thank you!',
  'Member: hi, can I change where it is paid?\nRep: Sure, new account please?\nMember: Halifax\nMember: 11-08-20\nMember: ⟦00928174⟧',
  'User: I typed the wrong account into my payroll portal\nAssistant: Which digits did you get wrong?\nUser: I put ⟦8830417265⟧',
  '担当：返金先の銀行と支店をお願いします。\nお客様：肥後銀行の水道町支店です。\n担当：番号もお願いします。\nお客様：⟦3048172⟧です。',
  'お客様:ゆうちょです\nお客様:⟦14420-38170921⟧\nお客様:名義はフジモトカオリ',
  // Sentences away.
  "You gave Jake BSB 014-538 and then I think it got cut off, he only has the first half of it. Could you send it again?\n\n> From: Sandra\n> No worries, it's ⟦294710683⟧. Booking was CB-6620.",
  'You are paying my pension into the wrong account. I moved to the Halifax in January. I sent you the form twice. The number is on page 2 and it is ⟦10463372⟧.',
  'customer switched credit unions. took new acct over phone ⟦90044718263⟧, read back twice',
  'Donations by cheque, or by transfer to our CAF account, 40-52-40. You will need ⟦00033127⟧ as the number.',
  'subs £24 due by sunday, pay to Ashby Rovers U11, 30-94-12, ⟦02716638⟧, put kids name as ref.',
  'Gross 2,418.00\nNet 1,902.33 (payslip)\nDD1 ⟦40028817365⟧ 1,602.33\nDD2 ⟦9017734⟧ 300.00',
  'Wire the balance to Umpqua Bank, ABA ⟦123205054⟧, for credit to Lane Title, ⟦4990182736⟧. Order no. 88201944.',
  // Bank, branch and number; dictated and written digit by digit.
  '（関西みらい銀行 梅田 ⟦0518360⟧）に返金してください',
  '口座番号 ⟦4 2 9 0 1 7 3⟧\n金額 ¥275,000-',
  '本人に電話で確認→福岡銀行の春日支店、「⟦224 7718⟧」とのこと。',
  'ANZ, BSB 013 442. The account you need is ⟦4418 92705⟧.',
  // Corrections and lists.
  '給与口座の件、番号を間違えておりました。\n誤）⟦2847105⟧\n正）⟦2847165⟧\n銀行は京都銀行です。',
  '返金先口座\n・金融機関：ゆうちょ銀行\n・記号：⟦11340⟧\n・番号：⟦20774691⟧\n・名義：モリ',
  '記号は⟦10240⟧、番号は⟦41028871⟧です。ゆうちょです。',
  '通帳を見たら⟦4810239⟧でした。支店は青葉台、横浜銀行で同じです。',
  '口座番号の末尾が違うと指摘されました。⟦3029184⟧ではなく⟦3029148⟧で再登録願います。',
  'please pay the gardener £60, his number is ⟦70193384⟧ and sort is 20-44-18',
  "Lena's half of the rent: 16-57-10, ⟦80117734⟧",
  'Payment bounced: "⟦70193384⟧ invalid for 20-44-18". Can you ask Ms Bell to check it?',
  'The old details (CBA 062-201, ⟦10884213⟧) are closed. New: Bendigo 633-000, ⟦184402917⟧.',
  'Change the account for my Social Security deposit. From: Regions ⟦0284719203⟧. To: Truist ⟦1440098271⟧.',
  '年末調整の還付先、荘内銀行でしたよね？⟦8970615⟧で合っていますか。',
  '登録した⟦8901658⟧に誤りがありました。銀行は佐賀共栄銀行、支店は鳥栖です。',
  '給与:{ "bank":"島根銀行", "branch":"出雲", "no":"⟦4567103⟧" }',
  // Columns.
  'Name\tBSB\tNumber\tAmount\nK Doyle\t063-114\t⟦10927745⟧\t1,204.00\nL Pratt\t082-057\t⟦448172093⟧\t880.50',
  '| Tutor | Hours | Rate | BSB | Account | Pay |\n|---|---|---|---|---|---|\n| Meera Nair | 6 | 55 | 062-948 | ⟦10482937⟧ | 330 |\n| Tom Hatzis | 4.5 | 50 | 733-051 | ⟦628114⟧ | 225 |\n| Grace Liu | 8 | 55 | 013-225 | ⟦294417083⟧ | 440 |',
  '{"payment":{"sort_code":"30-92-14","number":"⟦40718825⟧"},"invoice":"20884137"}',
])('finds the accounts in %j', (marked) => {
  const wanted = [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map(([, value]) => value);
  expect(accountsIn(marked.replace(/[⟦⟧]/g, ''))).toEqual(wanted);
});

test.each([
  // The books, and rows about customers.
  'Acct\tDescription\tDebit\tCredit\n101000\tCash - operating\t412,880.17\t\n215040\tAccrued bank fees\t\t612.25',
  'Chart of accounts\n40100 Dues\n60125 Bank fees\n\nShe used account 6100442 for "transfer to bank"',
  'Account Name,Account Number,Owner,Stage\nBlue Fin Credit Union,00284417,Amy Tran,Negotiation\nFirst Prairie Bank,00290158,Amy Tran,Closed',
  '科目,金額\n普通預金,1029384\n当座預金,2039184',
  // Bills, customers, logins.
  'account 448213 (svc-bankfeed) is locked, ticket INC0044821.',
  'My salary is not credited at SBI. CIF 85504417882, IFSC SBIN0004417.',
  '口座番号は7桁で、例えば1234567のように入力します。',
  'The bank statement lists cheques 448213, 448214 and deposit 448215.',
  'Bank acct ending 8213\nPayment # 2044821\nTotal 4,482.13',
  'The account number on my bill is 0048-22917-03. I paid from my bank.',
  'Your e-bill is ready. Account number 8500 4471 2093.',
  'Council Tax account 8840172635. Refunds are paid by bank transfer only.',
  'Your customer account with us is 20058341. Our bank details are below.',
  'Your account with us is 20058341. Our bank details are below.',
  'corebank01 authd[20417]: account 10029384 locked after 5 failed attempts',
  "Agent: phone number on the account?\nCaller: it's 5550172443\nAgent: and the bank sent it back?",
  'My frequent flyer account number is 440182937 and I want to move points; the bank card gives bonus.',
  'loan account 0044182937, interest 5.1%, bank of record Chase',
  'Mortgage account 4401829374 at the bank: rate change on 1 July.',
  'Council rent account 4401829 is in arrears. Pay by bank transfer or direct debit.',
  // Other numbers in texts about banks.
  'Agent: can I have your reference?\nCaller: 70193384\nAgent: Your refund was sent to your bank on Tuesday.',
  'お客さま番号：1029384\n口座振替のお知らせ',
  'ゆうちょATM 機番 5678214 で障害',
  '<creditTransfer><name>L Webb</name><bankCode>37050198</bankCode>',
  '<creditTransfer><name>L Webb</name><sortCode>403218</sortCode>',
  'BACS: our SUN is 527193, the file limit is below',
  'bacs_sun: "415882"\nbank: NatWest',
  "UPDATE m_supplier_bank SET bank_cd = '0010' WHERE supplier_cd = '0048213';",
  'SELECT kingaku FROM m_kouza WHERE kingaku > 1000000; -- 口座 支店',
  'Bank rec\nOutstanding cheques: 100441 (88.00), 100445 (210.50)',
  '発注書（No.4500718）の金額をお振込ください。振込先は従来どおりです。',
  '{"引落":{"銀行コード":"0190","店番":"104"},"6月利用料":134820}',
  'Agent: What is the order number?\nCustomer: 48810293\nAgent: Thank you, the bank takes 5 days for the refund.',
  'Please pay by bank transfer to the club and use 48810293 as the reference.',
  "I'll end the previous tenant's service, 5500179913. The deposit goes to your bank account.",
])('finds no account in %j', (text) => {
  expect(accountsIn(text)).toEqual([]);
});

test('all other numbers in the lines of a file of the bank are left alone', () => {
  const file = `payroll to the bank\n5200TRIMLINE DENTAL                     1844920173PPDPAYROLL         240614   1121000350000001\n${achEntry.replace(/[⟦⟧]/g, '')}\n820000000100121042880000000000000000001842331844920173                         121000350000001`;
  expect(accountsIn(file)).toEqual(['091000019', '6027714583']);
});
