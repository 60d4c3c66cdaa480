// The minimum that a Node process has to do to send files:
// node floor.cjs <url> <CA certificate, if https> <how many in parallel> <file> ...
const { readFileSync } = require('node:fs');

const [url = '', ca = '', maxParallel = '', ...files] = process.argv.slice(2);
const { Agent, request } = ca === '' ? require('node:http') : require('node:https');
const trust = ca === '' ? {} : { ca: readFileSync(ca) };
const agent = new Agent({ keepAlive: true, ...trust });

/** Sends one file after another. */
function sendNext() {
  const path = files.pop();
  if (path === undefined) return;
  const body = readFileSync(path);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
  const sent = request(url, { agent, method: 'POST', headers }, (response) => {
    if (response.statusCode !== 200) process.exitCode = 1;
    response.resume();
    response.once('end', sendNext);
  });
  sent.end(body);
}

for (let index = 0; index < Number(maxParallel); index += 1) sendNext();
