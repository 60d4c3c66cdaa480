// @actions/http-client imports tunnel at its start, and that node:assert, which takes 2 ms; but only a
// proxy needs it. This hands on to the package itself, by its other name in package.json, once it is
// needed. package.json's "overrides" puts this file in its place.
const load = () => require('tunnel-itself');

exports.httpOverHttp = (options) => load().httpOverHttp(options);
exports.httpOverHttps = (options) => load().httpOverHttps(options);
exports.httpsOverHttp = (options) => load().httpsOverHttp(options);
exports.httpsOverHttps = (options) => load().httpsOverHttps(options);
