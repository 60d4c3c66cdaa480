// form-data as its documentation has it, in the chunks that files are read in by default:
// node form-data.cjs <url> <scan key> <file> [<certificates>]
const { createReadStream, readFileSync } = require('node:fs');
const FormData = require('form-data');

const [url = '', scanKey = '', path = '', ca] = process.argv.slice(2);
const { protocol, hostname, port, pathname } = new URL(url);
const open = protocol === 'https:' ? require('node:https') : require('node:http');
const form = new FormData();
form.append('ScanKey', scanKey);
form.append('ScanJsonFile', createReadStream(path), { contentType: 'application/json' });
form.getLength((error, length) => {
  if (error !== null) throw error;
  const headers = { ...form.getHeaders(), 'Content-Length': length };
  const trust = ca === undefined ? {} : { ca: readFileSync(ca) };
  const options = { method: 'POST', hostname, port, path: pathname, headers, ...trust };
  const request = open.request(options, (response) => {
    response.resume();
    response.once('end', () => {
      process.exitCode = response.statusCode === 200 ? 0 : 1;
    });
  });
  form.pipe(request);
});
