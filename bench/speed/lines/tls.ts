import {
  SEND_THEN_DIGEST,
  sendByCurl,
  sendByCurlThenDigest,
  sendByFormData,
  sendByStep,
} from '../contenders.ts';
import { OURS } from '../goals.ts';
import type { Line } from '../line.ts';

const MEBIBYTES = 1024;

/** A large file over TLS. */
export const TLS: Line = {
  name: 'tls',
  title: '1 GiB over https',
  unit: 'ms',
  rounds: { min: 4, max: 7 },
  programs: ['curl', 'openssl', 'sha256sum'],
  room: { bytes: 2 ** 30 + 2 ** 28, files: 1000 },
  goals: [
    { subject: OURS, kind: 'times', atMost: 1.6, of: ['curl'] },
    { subject: OURS, kind: 'times', atMost: 1, of: [SEND_THEN_DIGEST] },
  ],
  prepare: async (stage) => {
    const path = stage.large(MEBIBYTES);
    const { cert: ca } = await stage.keyPair();
    const sending = { stage, path, service: await stage.secureService(), ca };
    return [
      sendByStep(sending),
      sendByCurl(sending),
      sendByCurlThenDigest(sending),
      sendByFormData(sending),
    ];
  },
};
