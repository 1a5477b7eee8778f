/** The current configuration, and what pages and the API read from it. */
import type { Config } from '../config/load.ts';
import { CidrSet } from '../policy/address.ts';
import { type Brand, readBrand } from './portal/brand.ts';
import type { Commit, Reconfigurable } from './reconfigurable.ts';

type State = {
  readonly config: Config;
  readonly brand: Brand;
  readonly metricsAllow: CidrSet;
  readonly trustedProxies: CidrSet;
};

/** See the head of this file. */
export class RunningConfig implements Reconfigurable {
  #state: State;

  constructor(config: Config) {
    this.#state = stateOf(config);
  }

  /** The settings of the file, with the policy that was set over the API. */
  get config(): Config {
    return this.#state.config;
  }

  get brand(): Brand {
    return this.#state.brand;
  }

  get metricsAllow(): CidrSet {
    return this.#state.metricsAllow;
  }

  get trustedProxies(): CidrSet {
    return this.#state.trustedProxies;
  }

  prepare(config: Config): Commit {
    const next = stateOf(config);
    return () => {
      this.#state = next;
    };
  }
}

function stateOf(config: Config): State {
  const { metrics_allow: metricsAllow, trusted_proxies: trustedProxies } = config.api;
  return {
    config,
    brand: readBrand(config.pages),
    metricsAllow: new CidrSet(metricsAllow),
    trustedProxies: new CidrSet(trustedProxies),
  };
}
