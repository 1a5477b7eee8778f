import { describe, expect, test } from 'vitest';
import { familyKeyAt, markedPatterns } from '../../../core/recognizers/api-key-families.ts';

/** Meaningless characters of one kind. Keys are assembled here, so that nothing in this file looks like one. */
const of = (characters: string) => (length: number) =>
  Array.from({ length }, (_, i) => characters[(i * 5 + 3) % characters.length]).join('');
const an = of('aB3dE5gH7jK9mN');
const hex = of('0a1b2c3d4e5f67');
const upper = of('A2B3C4D5E6F7');
const lower = of('a0b1c2d3e4f5');
const digits = of('12345678');
const uuid = [8, 4, 4, 4, 12].map((length) => hex(length)).join('-');

/** Prefixes of issuers, the rest of the key, and whether a key with one character less is invalid. */
const families: [prefixes: string[], body: string, isShortest?: boolean][] = [
  [['sk-ant-'], `api03-${an(20)}`, true],
  [['sk-ant-'], `admin01-${an(95)}`],
  [['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-or-v1-', 'sk-lf-', 'sk-None-'], an(20), true],
  [['sk-'], an(48)],
  [['sk-'], an(20), true],
  [['sess-'], an(40), true],
  [['hf_', 'gsk_', 'pplx-', 'r8_'], an(20), true],
  [['AIzaSy'], an(20), true],
  [['AKIA'], upper(20), true],
  [['api_org_'], an(34), true],
  [['csk-'], an(40), true],
  [['xai-'], an(60), true],
  [['nvapi-', 'pcsk_'], an(60), true],
  [['fw_'], an(22), true],
  [['tgp_v1_'], an(40), true],
  [['jina_'], an(50), true],
  [['voyage-', 'pa-'], an(43), true],
  [['lsv2_pt_', 'lsv2_sk_'], `${hex(32)}_${hex(10)}`, true],
  [['tvly-'], an(32), true],
  [['fc-'], hex(32), true],
  [['wandb_v1_'], an(40), true],
  [['AIza'], an(35), true],
  [['ya29.'], an(20), true],
  [['GOCSPX-'], an(28), true],
  [['1//0'], an(40), true],
  [['AKIA', 'ASIA', 'ABIA', 'ACCA', 'A3TX'], upper(16), true],
  [['ABSK'], an(90), true],
  [['bedrock-api-key-'], an(40), true],
  [['LTAI'], an(20), true],
  [['AKID'], an(32), true],
  [['dop_v1_', 'doo_v1_', 'dor_v1_'], hex(64), true],
  [['HRKU-'], `AA${an(58)}`, true],
  [['HRKU-'], uuid, true],
  [['fo1_'], an(43), true],
  [['fm1a_', 'fm1r_', 'fm2_'], an(100), true],
  [['nfp_'], an(36), true],
  [['vcp_'], an(24), true],
  [['sbp_', 'pul-'], hex(40), true],
  [['sb_secret_', 'sb_publishable_'], an(22), true],
  [['dapi'], hex(32), true],
  [['dapi'], `${hex(32)}-2`],
  [['v1.0-'], `${hex(24)}-${hex(146)}`, true],
  [['tk-us-'], an(48), true],
  [['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'], an(32), true],
  [['pnu_'], an(36), true],
  [['4b1d'], an(38), true],
  [['ocid1.credential.', 'ocid1.apikey.'], lower(30), true],
  [['ibm_'], an(40), true],
  [['jfrt@', 'jfrtx@', 'cmVmd'], an(59), true],
  [['AKCp'], an(69), true],
  [['dt0c01.'], `${upper(24)}.${upper(64)}`, true],
  [['hvs.', 'hvr.'], an(24), true],
  [['hvb.'], an(130), true],
  [['s.'], an(24), true],
  [['dp.pt.', 'dp.st.', 'dp.st.dev_1.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'], an(40), true],
  [['eyrie-', 'infisical_', 'st.'], `${hex(24)}.${hex(32)}.${hex(32)}`, true],
  [['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], an(20), true],
  [['github_pat_'], an(82), true],
  [['glpat-', 'gldt-', 'glrt-', 'glptt-', 'gloas-', 'glft-', 'glimt-', 'glagent-', 'glcbt-'], an(20), true],
  [['GR1348941'], an(20), true],
  [['_gitlab_session='], hex(32), true],
  [['ATATT3'], an(40), true],
  [['ATBB', 'ATCTT3'], an(24), true],
  [['bbdc-', 'bbpat-'], an(30), true],
  [['npm_'], an(36), true],
  [['pypi-Ag'], an(50), true],
  [['rubygems_'], hex(48), true],
  [['oy2'], lower(43), true],
  [['dckr_pat_', 'dckr_oat_'], an(27), true],
  [['CLOJARS_'], an(60), true],
  [['cio'], an(32), true],
  [['CCIPAT_', 'CCIPRJ_'], `${an(22)}_${hex(40)}`, true],
  [['API-'], upper(26), true],
  [['PMAK-'], `${hex(24)}-${hex(34)}`, true],
  [['sgp_'], hex(40), true],
  [['sgp_'], `${hex(16)}_${hex(40)}`, true],
  [['sgp_'], `local_${hex(40)}`, true],
  [['sqp_', 'squ_', 'sqa_'], hex(40), true],
  [['snyk_uat_'], an(30), true],
  [['ops_eyJ'], an(250), true],
  [['A3-'], [6, 11, 5, 5, 5].map(upper).join('-'), true],
  [['A3-'], [6, 6, 5, 5, 5, 5].map(upper).join('-'), true],
  [['AGE-SECRET-KEY-1'], of('QPZRY9X8GF2TVDW0')(58), true],
  [['rdme_'], lower(70), true],
  [['figd_'], an(38), true],
  [['lin_api_', 'lin_oauth_', 'ntn_'], an(40), true],
  [['secret_'], an(43), true],
  [['pat'], `${an(14)}.${hex(64)}`, true],
  [['s-s4t2ud-', 's-s4t2af-'], hex(64), true],
  [['sm_aat_', 'sm_pat_', 'sm_sat_'], an(16), true],
  [['hasura-', 'hcaptcha-', '0x4AAAAAA'], an(20), true],
  [['rnd_'], an(28), true],
  [['railway_', 'rw_'], an(36), true],
  [['tskey-api-', 'tskey-auth-', 'tskey-client-', 'tskey-scim-', 'tskey-webhook-'], `${an(8)}-${an(20)}`, true],
  [['ngrok_', 'cr_'], an(40), true],
  [['sk_live_', 'rk_live_', 'pk_live_', 'sk_test_', 'sk_prod_'], an(10), true],
  [['whsec_'], an(24), true],
  [['sq0atp-', 'sq0csp-', 'sq0idp-'], an(22), true],
  [['EAAA'], an(40), true],
  [['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_', 'shpua_'], hex(32), true],
  [['shippo_live_', 'shippo_test_'], hex(40), true],
  [['EZAK', 'EZTK'], an(54), true],
  [['FLWPUBK-', 'FLWSECK-', 'FLWPUBK_TEST-', 'FLWSECK_TEST-'], `${an(32)}-X`],
  [['FLWSECK_TEST-'], an(12), true],
  [['access-sandbox-', 'access-development-', 'access-production-'], uuid, true],
  [['access_token$sandbox$', 'access_token$production$'], `${lower(16)}$${hex(32)}`, true],
  [['duffel_test_', 'duffel_live_'], an(43), true],
  [['live_', 'test_', 'live_pub_', 'test_pub_'], hex(35)],
  [['live_', 'test_', 'live_pub_', 'test_pub_'], hex(31), true],
  [['test_', 'live_pub_'], an(30), true],
  [['gocardless_', 'live_', 'sandbox_'], an(40)],
  [['AQE'], an(80), true],
  [['rzp_live_', 'rzp_test_'], an(14), true],
  [['paddle_', 'pdl_live_', 'pdl_sdbx_'], an(30), true],
  [['xoxb-', 'xoxp-', 'xoxa-', 'xoxe.xoxp-'], `${digits(12)}-${an(12)}`],
  [['xapp-'], `1-${upper(5)}-${digits(5)}-${lower(20)}`, true],
  [['SG.'], `${an(16)}.${an(16)}`, true],
  [['SK'], hex(32), true],
  [['AC'], `${hex(32)}:${hex(32)}`, true],
  [['key-', 'pubkey-'], hex(32), true],
  [['xkeysib-', 'xsmtpsib-'], `${hex(64)}-${an(16)}`, true],
  [['re_'], `${an(8)}_${an(24)}`, true],
  [['md-', 'mandrill-'], an(22), true],
  [['EAAM', 'EAAC', 'EAAB'], an(80), true],
  [['CFPAT-'], an(43), true],
  [['sk_'], hex(48), true],
  [['pk_'], `${digits(7)}_${upper(32)}`, true],
  [['dG9rO'], an(50), true],
  [['pat-na1-', 'pat-eu1-'], uuid, true],
  [['M', 'N', 'O'], `${an(23)}.${an(6)}.${an(27)}`, true],
  [['fio-u-'], an(64), true],
  [['dnkey-'], `${an(26)}-${an(52)}`, true],
  [['b_'], lower(44), true],
  [['pk.', 'sk.'], `${an(60)}.${an(22)}`, true],
  [['pk.', 'sk.'], `eyJ${an(20)}.${an(22)}`, true],
  [['glc_'], an(32), true],
  [['glsa_'], `${an(32)}_${hex(8)}`, true],
  [['eyJrIjoi'], an(60), true],
  [['sntrys_eyJ'], `${an(20)}_${an(43)}`, true],
  [['sntryu_'], hex(64), true],
  [['NRAK-', 'NRJS-', 'NRII-', 'NRAA-', 'NRRA-', 'NRBR-'], an(19), true],
  [['ddp_', `pub${hex(32)}`, 'phc_', 'phx_'], an(28), true],
  [['hcaik_', 'hcxik_'], an(50), true],
  [['p8e-'], an(32), true],
  [['sdk-', 'mob-', 'api-'], uuid, true],
  [['sc_', 'ext_', 'scauth_', 'authress_'], `${lower(5)}.${lower(4)}.acc_${lower(10)}.${an(30)}`, true],
  [['pat.', 'sat.'], `${an(20)}.${hex(24)}.${an(20)}`, true],
  [['lob_', 'napi_', 'apify_api_'], an(32), true],
];

const rows = families.flatMap(([prefixes, body, isShortest = false]) =>
  prefixes.map((prefix) => [prefix, body.length, body, isShortest] as const),
);

describe('keys of issuers', () => {
  test.each(rows)('%s and %i characters', (prefix, _length, body, isShortest) => {
    const key = prefix + body;
    expect(familyKeyAt(`see ${key}.`, 4)).toBe(key);
    expect(familyKeyAt(`"${key}"`, 1)).toBe(key);
    if (isShortest) expect(familyKeyAt(`see ${key.slice(0, -1)}.`, 4)).toBeUndefined();
    for (const glued of [`x${key}`, `7${key}`, `_${key}`]) expect(familyKeyAt(glued, 1)).toBeUndefined();
    // A longer run is not a key, unless a sign ends a shorter one.
    if (!/[-.$:_]/.test(body)) expect(familyKeyAt(`see ${key}${'z'.repeat(3000)}`, 4)).toBeUndefined();
    // A key does not begin one character later.
    if (/^[a-z]{3}/.test(prefix)) expect(familyKeyAt(`see ${key}`, 5)).toBeUndefined();
  });

  test.each(['', 'plain', '~', 'あ'])('no key in %j', (text) => expect(familyKeyAt(text, 0)).toBeUndefined());
});

test('a key with a marker in the middle', () => {
  const key = `${hex(32)}-us12`;
  const marked = markedPatterns.find(({ anchor }) => anchor === '-us');
  if (marked) marked.pattern.lastIndex = 4;
  expect(marked?.pattern.exec(`see ${key}.`)?.[0]).toBe(key);
  expect(key.indexOf('-us')).toBe(marked?.before);
});
