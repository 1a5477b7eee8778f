/** The page for installing the root certificate, starting with the user's platform. */
import type { CertificateAuthority } from '../../certs/ca.ts';
import { type Platform, platforms } from '../../core/wording/platforms.ts';
import type { Brand } from './brand.ts';
import { formats } from './downloads.ts';
import { type Html, html } from './html.ts';
import { dateText, type PortalAnswer, pageAnswer, timeTag } from './page.ts';
import type { Words } from './words.ts';

/** What the page shows. */
export type CertificateFacts = {
  readonly words: Words;
  readonly brand: Brand;
  readonly ca: Pick<CertificateAuthority, 'root' | 'next' | 'isLimited'>;
  readonly platform: string | undefined;
  readonly authority: string;
};

/** The page. */
export function certificatePage({ words, brand, ca, platform, authority }: CertificateFacts): PortalAnswer {
  const own = platforms.find(({ id }) => id === platform);
  const ordered = [...(own ? [own] : []), ...platforms.filter((entry) => entry !== own)];
  const body = html`
<section aria-labelledby="compare">
<h2 id="compare">${words.fingerprintTitle}</h2>
<p>${words.fingerprintText}</p>
${rootFacts(ca.root, words)}
${ca.next === undefined ? '' : html`<h2>${words.nextRoot}</h2><p>${words.nextRootText(dateText(ca.next.activateAt, words))}</p>${rootFacts(ca.next.root, words)}`}
</section>
<section aria-labelledby="steps">
<h2 id="steps">${words.platforms}</h2>
${ordered.map((entry) => stepsOf(entry, words, entry === own))}
</section>
<section aria-labelledby="programs">
<h2 id="programs">${words.programs}</h2>
<p>${words.programsText}</p>
<pre tabindex="0"><code>${variables(authority)}</code></pre>
<p class="soft">${words.bundleHint}</p>
</section>
<section aria-labelledby="downloads">
<h2 id="downloads">${words.downloads}</h2>
<ul>${formats.map(
    ({ path, format, systems }) => html`<li><a href="${path}" download>${path.slice(1)}</a>
– ${words.formats[format]} (${systems})</li>`,
  )}</ul>
</section>`;
  const lead = ca.isLimited ? words.installLead + words.installLimited : words.installLead;
  return pageAnswer({ words, brand, path: '/ca', title: words.installTitle, lead, body });
}

function rootFacts({ commonName, fingerprint256, notAfter }: CertificateFacts['ca']['root'], words: Words): Html {
  return html`<dl>
<dt>${words.name}</dt><dd>${commonName}</dd>
<dt>${words.fingerprint}</dt><dd><code>${parted(fingerprint256)}</code></dd>
<dt>${words.validUntil}</dt><dd>${timeTag(notAfter, words)}</dd>
</dl>`;
}

function stepsOf({ name, file, steps }: Platform, words: Words, isOwn: boolean): Html {
  const list = steps[words.language === 'English' ? 'en' : 'ja'];
  const open = isOwn ? html` open` : '';
  return html`<details${open}><summary>${name}${isOwn ? html` <span class="badge good">${words.forYou}</span>` : ''}</summary><div>
<p><a class="button${isOwn ? '' : ' plain'}" href="${file}" download>${words.download(`privet-${file.slice(1)}`)}</a></p>
<ol>${list.map((step) => html`<li>${withCode(step)}</li>`)}</ol></div></details>`;
}

/** A fingerprint that wraps only between bytes. */
const parted = (text: string): Html[] => text.split(/(?<=:)/).map((byte) => html`${byte}<wbr>`);

/** Formats text between backticks as code. */
function withCode(text: string): readonly (Html | string)[] {
  return text.split('`').map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`));
}

/** Environment variables that most programs read. */
function variables(authority: string): string {
  return [
    `curl -so ca-bundle.pem http://${authority}/ca-bundle.pem`,
    `export HTTP_PROXY=http://${authority} HTTPS_PROXY=http://${authority}`,
    'export NODE_USE_ENV_PROXY=1 NODE_EXTRA_CA_CERTS="$PWD/ca-bundle.pem"',
    'export SSL_CERT_FILE="$PWD/ca-bundle.pem" REQUESTS_CA_BUNDLE="$PWD/ca-bundle.pem"',
    'export CURL_CA_BUNDLE="$PWD/ca-bundle.pem" GIT_SSL_CAINFO="$PWD/ca-bundle.pem"',
  ].join('\n');
}
