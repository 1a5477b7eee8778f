/** Facts for a block page: alternative services, and the state of an exception request. */
import type { ServiceRegistry } from '../../../policy/registry.ts';
import type { Service } from '../../../policy/service.ts';
import type { Brand } from '../../portal/brand.ts';
import type { ExceptionRequest, Exceptions } from '../../stores/exceptions.ts';
import { Alternatives } from './alternatives.ts';

/** Facts of a block page. `request`: the user's newest relevant one for the host. */
export type RefusalFacts = {
  readonly brand: Brand;
  readonly alternatives: readonly Service[];
  readonly request?: ExceptionRequest | undefined;
};

/** How long a page waits for the store before it is shown without the request's state. */
const storeMsMax = 1_000;

/** Collects the facts. */
export class Refusals {
  readonly brand: () => Brand;
  readonly #alternatives: Alternatives;
  readonly #exceptions: Pick<Exceptions, 'list'>;

  constructor(options: {
    readonly registry: ServiceRegistry;
    readonly exceptions: Pick<Exceptions, 'list'>;
    readonly brand: () => Brand;
  }) {
    this.brand = options.brand;
    this.#alternatives = new Alternatives(options.registry);
    this.#exceptions = options.exceptions;
  }

  /** The facts for a blocked request. Never rejects: without the store the state is left out. */
  async factsFor(refused: { service: Service | undefined; subject: string; host: string }): Promise<RefusalFacts> {
    const { service, subject, host } = refused;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, storeMsMax, undefined);
    });
    const requests = await Promise.race([this.#exceptions.list({ subject }).catch(() => undefined), late]);
    clearTimeout(timer);
    const request = requests?.find((one) => host === one.host || host.endsWith(`.${one.host}`));
    // A granted exception that no longer applies has expired, so the user may request again.
    const says = request?.state === 'granted' ? undefined : request;
    return { brand: this.brand(), alternatives: this.#alternatives.to(service), request: says };
  }
}
