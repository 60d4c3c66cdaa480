import { HOST, makeAuthority } from '../../support/certificates.ts';

const issuer = makeAuthority();

/** The certificates of a private CA, as texts: their files are removed after the first test. */
export const AUTHORITY = {
  /** The CA's own certificate. */
  ca: issuer.cert,
  /** For loopback, `localhost` and `HOST`. */
  server: issuer.issue(),
  otherHost: issuer.issue({ hosts: ['other.example.test'] }),
  expired: issuer.issue({ days: -1 }),
  /** For `HOST` only: the service's name, which no proxy has. */
  serviceOnly: issuer.issue({ hosts: [HOST] }),
  byName: issuer.issue({ hosts: ['localhost'] }),
  byAddress: issuer.issue({ hosts: ['127.0.0.1'] }),
  client: issuer.issue(),
  /** From another CA, which is not trusted. */
  stranger: makeAuthority(),
} as const;
