/**
 * Keys that carry the name of their issuer: the published prefixes, and what follows them. Shapes are those of the
 * vendors' documentation and of the common secret scanners.
 */

/** A prefix (or several, apart by `|`), and the pattern of what follows it. */
type Family = readonly [prefix: string, body: string];

const alnum = (min: number, max = min) => `[A-Za-z0-9]{${min},${max}}`;
const url = (min: number, max = min) => `[A-Za-z0-9_-]{${min},${max}}`;
const hex = (length: number) => `[A-Fa-f0-9]{${length}}`;
const base64 = (min: number, max: number) => `[A-Za-z0-9+/]{${min},${max}}={0,2}`;
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/**
 * Behind the best-known prefixes any length counts from 20 characters on: vendors have changed the length of their keys
 * before, and a prefix with that much behind it is hardly anything else.
 */
const anyLength = alnum(20, 300);

const families: readonly Family[] = [
  // Models and machine learning.
  ['sk-ant-', `(?:api|admin|sid|oat|ort)[0-9]{2}-${url(20, 300)}`],
  ['sk-(?:proj|svcacct|admin|or-v1|lf|None)-', url(20, 300)],
  ['sk-', anyLength],
  ['sess-', alnum(40)],
  ['hf_', anyLength],
  ['api_org_', alnum(34)],
  ['gsk_', anyLength],
  ['pplx-', anyLength],
  ['r8_', anyLength],
  ['xai-', alnum(60, 100)],
  ['nvapi-', url(60, 80)],
  ['fw_', alnum(22, 24)],
  ['tgp_v1_', url(40, 60)],
  ['csk-', alnum(40, 60)],
  ['jina_', alnum(50, 70)],
  ['voyage-|pa-', url(43)],
  ['pcsk_', url(60, 80)],
  ['lsv2_(?:pt|sk)_', `${hex(32)}_${hex(10)}`],
  ['tvly-', url(32, 60)],
  ['fc-', hex(32)],
  ['wandb_v1_', url(40, 90)],
  // Clouds and hosting.
  ['AIzaSy', url(20, 300)],
  ['AIza', url(35)],
  ['ya29\\.', url(20, 500)],
  ['GOCSPX-', url(28)],
  ['1//0', url(40, 120)],
  ['(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])', '[A-Z2-7]{16}'],
  ['AKIA', '[A-Z0-9]{20,300}'],
  ['ABSK', base64(90, 300)],
  ['bedrock-api-key-', base64(40, 2000)],
  ['LTAI', alnum(20)],
  ['AKID', alnum(32)],
  ['do[opr]_v1_', hex(64)],
  ['HRKU-', `(?:AA${url(58)}|${uuid})`],
  ['fo1_', url(43)],
  ['fm(?:1[ar]|2)_', base64(100, 1000)],
  ['nf[a-z]_', alnum(36)],
  ['vc[a-z]_', alnum(24, 64)],
  ['sbp_', hex(40)],
  ['sb_(?:secret|publishable)_', url(22, 60)],
  ['dapi', `${hex(32)}(?:-[0-9])?`],
  ['v1\\.0-', `${hex(24)}-${hex(146)}`],
  ['tk-us-', url(48)],
  ['pul-', hex(40)],
  ['pscale_(?:tkn|oauth|pw)_', '[\\w=.-]{31,63}[\\w=-]'],
  ['pnu_', alnum(36)],
  ['4b1d', alnum(38)],
  ['ocid1\\.(?:credential|apikey)\\.', '[a-z0-9.]{29,119}[a-z0-9]'],
  ['ibm_', alnum(40, 60)],
  ['jfrt[a-z]?@|cmVmd', alnum(59)],
  ['AKCp', alnum(69)],
  ['dt0[a-z][0-9]{2}\\.', `[A-Z0-9]{24}\\.[A-Z0-9]{64}`],
  ['hvs\\.', url(24, 200)],
  ['hvb\\.', url(130, 300)],
  ['hvr\\.', url(24, 200)],
  ['s\\.', '(?=[A-Za-z0-9]*[0-9])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{24}'],
  ['dp\\.(?:pt|st(?:\\.[a-z0-9_-]{2,35})?|ct|sa|scim|audit)\\.', alnum(40, 44)],
  ['eyrie-|infisical_|st\\.', `${hex(24)}\\.${hex(32)}\\.${hex(32)}`],
  // Code, packages and builds.
  ['gh[pousr]_', anyLength],
  ['github_pat_', '[A-Za-z0-9_]{82}'],
  ['gl(?:pat|dt|rt|rtr|ptt|oas|ft|imt|agent|soat|ffct|cbt)-', '[A-Za-z0-9_.=-]{19,99}[A-Za-z0-9_=-]'],
  ['GR1348941', url(20, 24)],
  ['_gitlab_session=', hex(32)],
  ['ATATT3', '[A-Za-z0-9_=-]{40,300}'],
  ['ATBB|ATCTT3', '[A-Za-z0-9_=-]{24,300}'],
  ['bb(?:dc|pat)-', url(30, 60)],
  ['npm_', alnum(36)],
  ['pypi-Ag', url(50, 1000)],
  ['rubygems_', hex(48)],
  ['oy2', '[a-z0-9]{43}'],
  ['dckr_(?:pat|oat)_', url(27, 40)],
  ['CLOJARS_', alnum(60)],
  ['cio', alnum(32)],
  ['CCIPAT_', `${alnum(22)}_${hex(40)}`],
  ['API-', '[A-Z0-9]{26}'],
  ['PMAK-', `${hex(24)}-${hex(34)}`],
  ['sgp_', `(?:(?:${hex(16)}|local)_)?${hex(40)}`],
  ['sq[upa]_', hex(40)],
  ['snyk_[a-z]{3}_', alnum(30, 80)],
  ['ops_eyJ', base64(250, 2000)],
  ['A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}'],
  ['AGE-SECRET-KEY-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'],
  ['rdme_', '[a-z0-9]{70}'],
  ['figd_', url(38, 60)],
  ['lin_(?:api|oauth)_', alnum(40, 64)],
  ['ntn_', alnum(40, 50)],
  ['secret_', alnum(43)],
  ['pat(?=[A-Za-z0-9]{14}\\.)', `${alnum(14)}\\.${hex(64)}`],
  ['s-s4t2(?:ud|af)-', hex(64)],
  ['sm_[aps]at_', alnum(16)],
  ['hasura-|hcaptcha-|0x4AAAAAA', url(20, 40)],
  ['rnd_', alnum(28, 40)],
  ['railway_|rw_', url(36, 60)],
  ['tskey-(?:api|auth|client|scim|webhook)-', `${alnum(8, 24)}-${alnum(20, 64)}`],
  ['ngrok_|cr_', alnum(40, 60)],
  // Payment and shops.
  ['[srp]k_(?:live|test|prod)_', alnum(10, 300)],
  ['whsec_', base64(24, 64)],
  ['sq0(?:atp|csp|idp)-', url(22, 60)],
  ['EAAA', url(40, 70)],
  ['shp(?:at|ca|pa|ss|tka|ua)_', hex(32)],
  ['shippo_(?:live|test)_', hex(40)],
  ['EZ[AT]K', alnum(54)],
  ['FLW(?:PUB|SEC)K(?:_TEST)?-', `(?:${alnum(32)}-X|${alnum(12)})`],
  [
    'access-(?:sandbox|development|production)-|access_token\\$(?:sandbox|production)\\$',
    `(?:${uuid}|[0-9a-z]{16}\\$${hex(32)})`,
  ],
  ['duffel_(?:test|live)_', '[A-Za-z0-9_=-]{43}'],
  [
    '(?:live|test)_(?:pub_)?',
    `(?:[a-f0-9]{35}|[a-f0-9]{31}|(?=[A-Za-z0-9]*[0-9])(?=[A-Za-z0-9]*[A-Z])${alnum(30, 60)})`,
  ],
  ['gocardless_|live_|sandbox_', url(40, 60)],
  ['AQE', '[A-Za-z0-9+/=]{80,300}'],
  ['rzp_(?:live|test)_', alnum(14)],
  ['paddle_|pdl_(?:live|sdbx)_', '[A-Za-z0-9_]{30,80}'],
  // Mail, chat and telephony.
  ['xox[abeoprs](?:\\.xox[bp])?-', '[A-Za-z0-9-]{10,250}'],
  ['xapp-', '[0-9]-[A-Z0-9]{5,20}-[0-9]{5,20}-[a-z0-9]{20,80}'],
  ['SG\\.', '[A-Za-z0-9_=-]{16,32}\\.[A-Za-z0-9_=-]{16,64}'],
  ['SK', '[a-f0-9]{32}'],
  ['AC(?=[a-f0-9]{32}:)', '[a-f0-9]{32}:[a-f0-9]{32}'],
  ['key-|pubkey-', '[a-f0-9]{32}'],
  ['xkeysib-|xsmtpsib-', `${hex(64)}-${alnum(16)}`],
  ['re_', '[A-Za-z0-9]{8}_[A-Za-z0-9]{24,30}'],
  ['md-|mandrill-', url(22)],
  ['EAA(?:[MC]|[A-Z])', alnum(80, 400)],
  ['fio-u-', '[A-Za-z0-9_=-]{64}'],
  ['dnkey-', '[A-Za-z0-9_=-]{26}-[A-Za-z0-9_=-]{52}'],
  ['b_(?=[a-z0-9=_-]{44}(?![a-z0-9=_-]))', '[a-z0-9=_-]{44}'],
  ['pk\\.|sk\\.', '(?:[A-Za-z0-9]{60}\\.[A-Za-z0-9]{22}|eyJ[A-Za-z0-9_-]{20,120}\\.[A-Za-z0-9_-]{22})'],
  // Watching and logging.
  ['glc_', '[A-Za-z0-9+/]{32,400}={0,3}'],
  ['glsa_', `${alnum(32)}_${hex(8)}`],
  ['eyJrIjoi', '[A-Za-z0-9]{60,400}={0,3}'],
  ['sntrys_eyJ', '[A-Za-z0-9+/]{20,400}={0,2}_[A-Za-z0-9+/]{43}'],
  ['sntryu_', hex(64)],
  ['NR(?:AK|JS|II|AA|RA|BR)-', '[A-Za-z0-9_-]{19,40}'],
  ['ddp_|pub[0-9a-f]{32}|phc_|phx_', alnum(28, 60)],
  ['hcaik_|hcxik_', alnum(50, 70)],
  ['p8e-', alnum(32)],
  ['sdk-|mob-|api-(?=[0-9a-f]{8}-)', uuid],
  [
    '(?:sc|ext|scauth|authress)_',
    '[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,120}',
  ],
  ['pat\\.', `${alnum(20, 40)}\\.${hex(24)}\\.${alnum(20)}`],
  ['sat\\.', `${alnum(20, 40)}\\.${hex(24)}\\.${alnum(20)}`],
  ['lob_|napi_|apify_api_', alnum(32, 70)],
];

const right = '(?![A-Za-z0-9_])';

let patterns: Map<number, RegExp> | undefined;

/** Patterns by the code of their first character: a place is tried against the few families that may start there. */
function patternsByFirst(): ReadonlyMap<number, RegExp> {
  if (patterns !== undefined) return patterns;
  const sources = new Map<string, string[]>();
  for (const [prefix, body] of families) {
    for (const first of new Set(firstsOf(prefix))) {
      const source = `(?:${prefix})(?:${body})`;
      const own = sources.get(first);
      if (own === undefined) sources.set(first, [source]);
      else own.push(source);
    }
  }
  patterns = new Map();
  for (const [first, own] of sources)
    patterns.set(first.charCodeAt(0), new RegExp(`(?<![A-Za-z0-9_])(?:${own.join('|')})${right}`, 'y'));
  return patterns;
}

/** The first characters of a prefix: of `[sr]k_|pk\.` they are `s`, `r` and `p`. */
function firstsOf(prefix: string): string[] {
  return prefix
    .replace(/^\(\?:/, '')
    .split('|')
    .flatMap((part) => (part.startsWith('[') ? [...part.slice(1, part.indexOf(']'))] : part.slice(0, 1)));
}

let starts: Int32Array | undefined;

/**
 * First two characters → a bit for the last five bits of each third one with which a prefix begins so: what nearly every word
 * is told by.
 */
function prefixStarts(): Int32Array {
  if (starts !== undefined) return starts;
  starts = new Int32Array(128 * 128);
  for (const [prefix] of families)
    for (const part of prefix.split('|').map((one) => one.replace(/^\(\?:/, ''))) {
      const rest = part.startsWith('[') ? part.slice(part.indexOf(']') + 1) : part.slice(1);
      const second = plainCode(rest);
      const third = second === undefined ? undefined : plainCode(rest.slice(1));
      const bits = third === undefined ? -1 : 1 << (third & 31);
      for (const first of firstsOf(part))
        for (const next of second === undefined ? anyCode : [second]) {
          const index = first.charCodeAt(0) * 128 + next;
          starts[index] = (starts[index] as number) | bits;
        }
    }
  return starts;
}

const anyCode = Array.from({ length: 128 }, (_, c) => c);

/** The code that a pattern begins with; undefined where it takes reading the pattern. */
function plainCode(pattern: string): number | undefined {
  return /^[A-Za-z0-9_-](?![?*+{])/.test(pattern) ? pattern.charCodeAt(0) : undefined;
}

/** The key of a family that starts at this place, right behind anything but a letter, a digit or an underscore. */
export function familyKeyAt(text: string, start: number): string | undefined {
  const first = text.charCodeAt(start);
  const second = text.charCodeAt(start + 1);
  if (!(first < 128 && second < 128)) return undefined;
  const thirds = prefixStarts()[first * 128 + second] as number;
  if (((thirds >>> (text.charCodeAt(start + 2) & 31)) & 1) === 0) return undefined;
  const pattern = patternsByFirst().get(first);
  if (pattern === undefined) return undefined;
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
}

/** Keys whose marker stands in the middle; each is written with its anchor. */
export const markedPatterns: readonly (readonly [anchor: string, before: number, pattern: RegExp])[] = [
  // Microsoft Entra client secrets.
  ['q~', 4, /(?<![A-Za-z0-9_~.%+-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/y],
  // OpenShift, HCP Terraform, MaxMind.
  ['sha256~', 0, /(?<![A-Za-z0-9_])sha256~[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/y],
  ['.atlasv1.', 14, /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}(?![A-Za-z0-9_=-])/y],
  ['_mmk', 36, /(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9_])/y],
  // Azure connection strings; the key alone.
  ['accountkey=', -11, /[A-Za-z0-9+/]{43,88}={0,2}/y],
  ['sharedaccesskey=', -16, /[A-Za-z0-9+/]{43,88}={0,2}/y],
  // Webhooks: who has the address can post.
  ['hooks.slack.com/', 0, /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{40,56}/y],
  ['discord.com/api/webhooks/', 0, /discord\.com\/api\/webhooks\/[0-9]{17,20}\/[A-Za-z0-9_-]{60,72}/y],
  ['discordapp.com/api/webhooks/', 0, /discordapp\.com\/api\/webhooks\/[0-9]{17,20}\/[A-Za-z0-9_-]{60,72}/y],
  [
    'webhook.office.com/',
    0,
    /webhook\.office\.com\/webhookb2\/[a-z0-9@-]{60,80}\/IncomingWebhook\/[a-z0-9]{32}\/[a-z0-9-]{36}/y,
  ],
];
