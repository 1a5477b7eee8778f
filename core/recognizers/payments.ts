/** Codes that stand beside payments and sign-ins; all of them need their word. */
import type { IdentifierType } from './identifier.ts';

export const paymentIdentifiers: readonly IdentifierType[] = [
  {
    type: 'CARD_CVV',
    kind: 'bank',
    form: /\d{3,4}/,
    length: [3, 4],
    labels: [
      ...[
        'CVV',
        'CVC',
        'CVV2',
        'CVC2',
        'CID',
        'card security code',
        'security code',
        'card verification',
        'Kartenprüfnummer',
      ],
      ...['Prüfziffer', 'cryptogramme', 'cryptogramme visuel', 'código de seguridad', 'código de segurança'],
      ...['codice di sicurezza', 'セキュリティコード', '安全码', '보안코드', 'beveiligingscode'],
    ],
  },
  {
    type: 'OTP_CODE',
    kind: 'bank',
    form: /\d{4,8}|\d{3}[- ]\d{3}|[A-Z]-\d{6}/,
    strict: true,
    length: [4, 5, 6, 7, 8],
    labels: [
      ...[
        'OTP',
        'one-time code',
        'one time password',
        'verification code',
        'your code is',
        '2FA',
        '2FA code',
        'MFA code',
      ],
      ...['login code', 'sign-in code', 'TAN', 'mTAN', 'Bestätigungscode', 'Sicherheitscode', 'code de vérification'],
      ...['code de confirmation', 'código de verificación', 'código de verificação', 'codice di verifica'],
      ...[
        'verificatiecode',
        '認証コード',
        '確認コード',
        'ワンタイムパスワード',
        '验证码',
        '인증번호',
        'код подтверждения',
      ],
      ...[
        'PIN',
        'PIN code',
        'PIN-Code',
        'Geheimzahl',
        'code secret',
        'code confidentiel',
        'clave secreta',
        'codice segreto',
      ],
      ...['暗証番号', '비밀번호', 'pincode'],
    ],
  },
];
