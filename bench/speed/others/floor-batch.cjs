// The least that a Node process can do to send many files over TLS with node:https:
// node floor-batch.cjs <url> <file of keys and paths> <certificates> <how many side by side>
const { readFileSync } = require('node:fs');
const { Agent, request } = require('node:https');

const [url = '', list = '', ca = '', maxParallel = ''] = process.argv.slice(2);
const scans = readFileSync(list, 'utf8').split('\n');
const agent = new Agent({
  keepAlive: true,
  // An answer has ended before its connection is free.
  maxSockets: Number(maxParallel),
  ca: readFileSync(ca),
});
let next = 0;

/** Sends one file after another. */
function sendNext() {
  const scan = scans[next];
  if (scan === undefined) return;
  next += 1;
  const [key, path = ''] = scan.split('\t');
  const field = 'Content-Disposition: form-data; name=';
  const before = `--b\r\n${field}"ScanKey"\r\n\r\n${key}\r\n--b\r\n${field}"ScanJsonFile"; filename="a"\r\n\r\n`;
  const file = readFileSync(path);
  const body = Buffer.concat([Buffer.from(before), file, Buffer.from('\r\n--b--\r\n')]);
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': body.length,
  };
  const sent = request(url, { agent, method: 'POST', headers }, (response) => {
    if (response.statusCode !== 200) process.exitCode = 1;
    response.resume();
    response.once('end', sendNext);
  });
  sent.end(body);
}

for (let index = 0; index < Number(maxParallel); index += 1) sendNext();
