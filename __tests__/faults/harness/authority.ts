import { HOST, makeAuthority } from '../../support/certificates.ts';
import type { Certificate } from '../../support/certificates.ts';

/** A private CA and its certificates, as texts, because the files are removed after the first test. */
export interface Authority {
  /** The CA's own certificate. */
  readonly ca: string;
  /** For loopback, `localhost` and `HOST`. */
  readonly server: Certificate;
  /** For another host's name only. */
  readonly otherHost: Certificate;
  /** Like `server`, but expired. */
  readonly expired: Certificate;
  /** For `HOST` only: the service's name, which no proxy has. */
  readonly serviceOnly: Certificate;
  /** For `localhost` only. */
  readonly byName: Certificate;
  /** For 127.0.0.1 only. */
  readonly byAddress: Certificate;
  readonly client: Certificate;
  /** From another CA, which is not trusted. */
  readonly stranger: Certificate;
}

let authority: Authority | undefined;

/** The suite's CA, made on first use. */
export function getAuthority(): Authority {
  authority ??= issueAll();
  return authority;
}

function issueAll(): Authority {
  const issuer = makeAuthority();
  return {
    ca: issuer.cert,
    server: issuer.issue(),
    otherHost: issuer.issue({ hosts: ['other.example.test'] }),
    expired: issuer.issue({ days: -1 }),
    serviceOnly: issuer.issue({ hosts: [HOST] }),
    byName: issuer.issue({ hosts: ['localhost'] }),
    byAddress: issuer.issue({ hosts: ['127.0.0.1'] }),
    client: issuer.issue(),
    stranger: makeAuthority(),
  };
}
