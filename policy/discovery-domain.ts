/**
 * The registrable domain of a host, so that one product yields one proposal. Uses a short extract instead of the 9,000
 * lines of the public suffix list: the second levels that country registries share, and the hosting platforms (the
 * list's private part) that give each customer a subdomain, where the subdomain is the product.
 */
import { isIP } from 'node:net';

/** Labels below a country's top level under which names are registered, such as `co` in `co.jp`. */
const secondLevels = new Set(
  'ac ad asn com co ed edu firm gen go gob gouv gov gr ind info lg ltd mil ne net nom or org plc res sch'.split(' '),
);

/** Two-letter top levels used like generic ones: a second level there is an ordinary name. */
const genericTops = new Set('ac ad ag ai cc co fm gg im io is li me nu sh so st tk to tv vc ws'.split(' '));
/** Second levels that even those top levels reserve. */
const genericSecond = new Set('com net org edu gov'.split(' '));

/** Hosting platforms: each name directly below belongs to a different customer. */
const platforms = new Set(
  `appspot.com azurecontainerapps.io azureedge.net azurefd.net azurestaticapps.net azurewebsites.net blogspot.com
bolt.host bubbleapps.io cloudapp.net cloudapp.azure.com cloudfront.net cloudfunctions.net codesandbox.io csb.app
deno.dev deno.net digitaloceanspaces.com elasticbeanstalk.com execute-api.amazonaws.com firebaseapp.com fly.dev
framer.app framer.website github.io gitlab.io glitch.me gradio.live herokuapp.com hf.space koyeb.app lovable.app
modal.run myshopify.com netlify.app ngrok-free.app ngrok-free.dev ngrok.app ngrok.dev ngrok.io notion.site
on.aws onrender.com ondigitalocean.app pages.dev proxy.runpod.net ray.run js.org readthedocs.io repl.co replit.app replit.dev run.app
s3.amazonaws.com streamlit.app streamlitapp.com surge.sh trycloudflare.com tiiny.site up.railway.app vercel.app
vercel.dev web.app webflow.io weebly.com wixsite.com wordpress.com workers.dev windows.net wpengine.com`.split(/\s+/),
);

/**
 * The domain under which a host (from `normalizeHost`) is grouped: its registrable domain, or the customer's name on a
 * shared platform. Addresses and single-label names are returned unchanged.
 */
export function registrableDomain(host: string): string {
  if (isIP(host) !== 0) return host;
  const labels = host.split('.');
  if (labels.length <= 2) return host;
  for (let at = 1; at < labels.length - 1; at++) {
    if (platforms.has(labels.slice(at).join('.'))) return labels.slice(at - 1).join('.');
  }
  const top = labels.at(-1) as string;
  const second = labels.at(-2) as string;
  const shared = top.length === 2 && (genericTops.has(top) ? genericSecond : secondLevels).has(second);
  return labels.slice(shared ? -3 : -2).join('.');
}

/** Whether the host is local: an address, a single-label name, or a name below a local top level. */
export function isLocalName(host: string): boolean {
  return (
    isIP(host) !== 0 || !host.includes('.') || /\.(?:local|localhost|internal|intranet|lan|corp|home|test)$/.test(host)
  );
}
