/******/ (() => { // webpackBootstrap
/******/ 	var __webpack_modules__ = ({

/***/ 3914:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

module.exports = __nccwpck_require__(5426);


/***/ }),

/***/ 5426:
/***/ ((__unused_webpack_module, exports, __nccwpck_require__) => {

"use strict";
var __webpack_unused_export__;


var net = __nccwpck_require__(9278);
var tls = __nccwpck_require__(4756);
var http = __nccwpck_require__(8611);
var https = __nccwpck_require__(5692);
var events = __nccwpck_require__(4434);
var assert = __nccwpck_require__(2613);
var util = __nccwpck_require__(9023);


exports.httpOverHttp = httpOverHttp;
exports.httpsOverHttp = httpsOverHttp;
exports.httpOverHttps = httpOverHttps;
exports.httpsOverHttps = httpsOverHttps;


function httpOverHttp(options) {
  var agent = new TunnelingAgent(options);
  agent.request = http.request;
  return agent;
}

function httpsOverHttp(options) {
  var agent = new TunnelingAgent(options);
  agent.request = http.request;
  agent.createSocket = createSecureSocket;
  agent.defaultPort = 443;
  return agent;
}

function httpOverHttps(options) {
  var agent = new TunnelingAgent(options);
  agent.request = https.request;
  return agent;
}

function httpsOverHttps(options) {
  var agent = new TunnelingAgent(options);
  agent.request = https.request;
  agent.createSocket = createSecureSocket;
  agent.defaultPort = 443;
  return agent;
}


function TunnelingAgent(options) {
  var self = this;
  self.options = options || {};
  self.proxyOptions = self.options.proxy || {};
  self.maxSockets = self.options.maxSockets || http.Agent.defaultMaxSockets;
  self.requests = [];
  self.sockets = [];

  self.on('free', function onFree(socket, host, port, localAddress) {
    var options = toOptions(host, port, localAddress);
    for (var i = 0, len = self.requests.length; i < len; ++i) {
      var pending = self.requests[i];
      if (pending.host === options.host && pending.port === options.port) {
        // Detect the request to connect same origin server,
        // reuse the connection.
        self.requests.splice(i, 1);
        pending.request.onSocket(socket);
        return;
      }
    }
    socket.destroy();
    self.removeSocket(socket);
  });
}
util.inherits(TunnelingAgent, events.EventEmitter);

TunnelingAgent.prototype.addRequest = function addRequest(req, host, port, localAddress) {
  var self = this;
  var options = mergeOptions({request: req}, self.options, toOptions(host, port, localAddress));

  if (self.sockets.length >= this.maxSockets) {
    // We are over limit so we'll add it to the queue.
    self.requests.push(options);
    return;
  }

  // If we are under maxSockets create a new one.
  self.createSocket(options, function(socket) {
    socket.on('free', onFree);
    socket.on('close', onCloseOrRemove);
    socket.on('agentRemove', onCloseOrRemove);
    req.onSocket(socket);

    function onFree() {
      self.emit('free', socket, options);
    }

    function onCloseOrRemove(err) {
      self.removeSocket(socket);
      socket.removeListener('free', onFree);
      socket.removeListener('close', onCloseOrRemove);
      socket.removeListener('agentRemove', onCloseOrRemove);
    }
  });
};

TunnelingAgent.prototype.createSocket = function createSocket(options, cb) {
  var self = this;
  var placeholder = {};
  self.sockets.push(placeholder);

  var connectOptions = mergeOptions({}, self.proxyOptions, {
    method: 'CONNECT',
    path: options.host + ':' + options.port,
    agent: false,
    headers: {
      host: options.host + ':' + options.port
    }
  });
  if (options.localAddress) {
    connectOptions.localAddress = options.localAddress;
  }
  if (connectOptions.proxyAuth) {
    connectOptions.headers = connectOptions.headers || {};
    connectOptions.headers['Proxy-Authorization'] = 'Basic ' +
        new Buffer(connectOptions.proxyAuth).toString('base64');
  }

  debug('making CONNECT request');
  var connectReq = self.request(connectOptions);
  connectReq.useChunkedEncodingByDefault = false; // for v0.6
  connectReq.once('response', onResponse); // for v0.6
  connectReq.once('upgrade', onUpgrade);   // for v0.6
  connectReq.once('connect', onConnect);   // for v0.7 or later
  connectReq.once('error', onError);
  connectReq.end();

  function onResponse(res) {
    // Very hacky. This is necessary to avoid http-parser leaks.
    res.upgrade = true;
  }

  function onUpgrade(res, socket, head) {
    // Hacky.
    process.nextTick(function() {
      onConnect(res, socket, head);
    });
  }

  function onConnect(res, socket, head) {
    connectReq.removeAllListeners();
    socket.removeAllListeners();

    if (res.statusCode !== 200) {
      debug('tunneling socket could not be established, statusCode=%d',
        res.statusCode);
      socket.destroy();
      var error = new Error('tunneling socket could not be established, ' +
        'statusCode=' + res.statusCode);
      error.code = 'ECONNRESET';
      options.request.emit('error', error);
      self.removeSocket(placeholder);
      return;
    }
    if (head.length > 0) {
      debug('got illegal response body from proxy');
      socket.destroy();
      var error = new Error('got illegal response body from proxy');
      error.code = 'ECONNRESET';
      options.request.emit('error', error);
      self.removeSocket(placeholder);
      return;
    }
    debug('tunneling connection has established');
    self.sockets[self.sockets.indexOf(placeholder)] = socket;
    return cb(socket);
  }

  function onError(cause) {
    connectReq.removeAllListeners();

    debug('tunneling socket could not be established, cause=%s\n',
          cause.message, cause.stack);
    var error = new Error('tunneling socket could not be established, ' +
                          'cause=' + cause.message);
    error.code = 'ECONNRESET';
    options.request.emit('error', error);
    self.removeSocket(placeholder);
  }
};

TunnelingAgent.prototype.removeSocket = function removeSocket(socket) {
  var pos = this.sockets.indexOf(socket)
  if (pos === -1) {
    return;
  }
  this.sockets.splice(pos, 1);

  var pending = this.requests.shift();
  if (pending) {
    // If we have pending requests and a socket gets closed a new one
    // needs to be created to take over in the pool for the one that closed.
    this.createSocket(pending, function(socket) {
      pending.request.onSocket(socket);
    });
  }
};

function createSecureSocket(options, cb) {
  var self = this;
  TunnelingAgent.prototype.createSocket.call(self, options, function(socket) {
    var hostHeader = options.request.getHeader('host');
    var tlsOptions = mergeOptions({}, self.options, {
      socket: socket,
      servername: hostHeader ? hostHeader.replace(/:.*$/, '') : options.host
    });

    // 0 is dummy port for v0.6
    var secureSocket = tls.connect(0, tlsOptions);
    self.sockets[self.sockets.indexOf(socket)] = secureSocket;
    cb(secureSocket);
  });
}


function toOptions(host, port, localAddress) {
  if (typeof host === 'string') { // since v0.10
    return {
      host: host,
      port: port,
      localAddress: localAddress
    };
  }
  return host; // for v0.11 or later
}

function mergeOptions(target) {
  for (var i = 1, len = arguments.length; i < len; ++i) {
    var overrides = arguments[i];
    if (typeof overrides === 'object') {
      var keys = Object.keys(overrides);
      for (var j = 0, keyLen = keys.length; j < keyLen; ++j) {
        var k = keys[j];
        if (overrides[k] !== undefined) {
          target[k] = overrides[k];
        }
      }
    }
  }
  return target;
}


var debug;
if (process.env.NODE_DEBUG && /\btunnel\b/.test(process.env.NODE_DEBUG)) {
  debug = function() {
    var args = Array.prototype.slice.call(arguments);
    if (typeof args[0] === 'string') {
      args[0] = 'TUNNEL: ' + args[0];
    } else {
      args.unshift('TUNNEL:');
    }
    console.error.apply(console, args);
  }
} else {
  debug = function() {};
}
__webpack_unused_export__ = debug; // for test


/***/ }),

/***/ 1491:
/***/ ((module) => {

"use strict";


// eslint-disable-next-line no-extra-parens, no-empty-function
const cached = /** @type {import('.').AsyncFunctionConstructor} */ (async function () {}.constructor);

/** @type {import('.')} */
module.exports = () => cached;



/***/ }),

/***/ 7655:
/***/ ((module) => {

"use strict";


// eslint-disable-next-line no-extra-parens, no-empty-function
const cached = /** @type {import('.').AsyncGeneratorFunctionConstructor} */ (async function* () {}.constructor);

/** @type {import('.')} */
module.exports = () => cached;



/***/ }),

/***/ 1324:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

module.exports =
{
  parallel      : __nccwpck_require__(3857),
  serial        : __nccwpck_require__(1054),
  serialOrdered : __nccwpck_require__(3961)
};


/***/ }),

/***/ 4818:
/***/ ((module) => {

// API
module.exports = abort;

/**
 * Aborts leftover active jobs
 *
 * @param {object} state - current state object
 */
function abort(state)
{
  Object.keys(state.jobs).forEach(clean.bind(state));

  // reset leftover jobs
  state.jobs = {};
}

/**
 * Cleans up leftover job by invoking abort function for the provided job id
 *
 * @this  state
 * @param {string|number} key - job id to abort
 */
function clean(key)
{
  if (typeof this.jobs[key] == 'function')
  {
    this.jobs[key]();
  }
}


/***/ }),

/***/ 8452:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

var defer = __nccwpck_require__(9200);

// API
module.exports = async;

/**
 * Runs provided callback asynchronously
 * even if callback itself is not
 *
 * @param   {function} callback - callback to invoke
 * @returns {function} - augmented callback
 */
function async(callback)
{
  var isAsync = false;

  // check if async happened
  defer(function() { isAsync = true; });

  return function async_callback(err, result)
  {
    if (isAsync)
    {
      callback(err, result);
    }
    else
    {
      defer(function nextTick_callback()
      {
        callback(err, result);
      });
    }
  };
}


/***/ }),

/***/ 9200:
/***/ ((module) => {

module.exports = defer;

/**
 * Runs provided function on next iteration of the event loop
 *
 * @param {function} fn - function to run
 */
function defer(fn)
{
  var nextTick = typeof setImmediate == 'function'
    ? setImmediate
    : (
      typeof process == 'object' && typeof process.nextTick == 'function'
      ? process.nextTick
      : null
    );

  if (nextTick)
  {
    nextTick(fn);
  }
  else
  {
    setTimeout(fn, 0);
  }
}


/***/ }),

/***/ 4902:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

var async = __nccwpck_require__(8452)
  , abort = __nccwpck_require__(4818)
  ;

// API
module.exports = iterate;

/**
 * Iterates over each job object
 *
 * @param {array|object} list - array or object (named list) to iterate over
 * @param {function} iterator - iterator to run
 * @param {object} state - current job status
 * @param {function} callback - invoked when all elements processed
 */
function iterate(list, iterator, state, callback)
{
  // store current index
  var key = state['keyedList'] ? state['keyedList'][state.index] : state.index;

  state.jobs[key] = runJob(iterator, key, list[key], function(error, output)
  {
    // don't repeat yourself
    // skip secondary callbacks
    if (!(key in state.jobs))
    {
      return;
    }

    // clean up jobs
    delete state.jobs[key];

    if (error)
    {
      // don't process rest of the results
      // stop still active jobs
      // and reset the list
      abort(state);
    }
    else
    {
      state.results[key] = output;
    }

    // return salvaged results
    callback(error, state.results);
  });
}

/**
 * Runs iterator over provided job element
 *
 * @param   {function} iterator - iterator to invoke
 * @param   {string|number} key - key/index of the element in the list of jobs
 * @param   {mixed} item - job description
 * @param   {function} callback - invoked after iterator is done with the job
 * @returns {function|mixed} - job abort function or something else
 */
function runJob(iterator, key, item, callback)
{
  var aborter;

  // allow shortcut if iterator expects only two arguments
  if (iterator.length == 2)
  {
    aborter = iterator(item, async(callback));
  }
  // otherwise go with full three arguments
  else
  {
    aborter = iterator(item, key, async(callback));
  }

  return aborter;
}


/***/ }),

/***/ 1721:
/***/ ((module) => {

// API
module.exports = state;

/**
 * Creates initial state object
 * for iteration over list
 *
 * @param   {array|object} list - list to iterate over
 * @param   {function|null} sortMethod - function to use for keys sort,
 *                                     or `null` to keep them as is
 * @returns {object} - initial state object
 */
function state(list, sortMethod)
{
  var isNamedList = !Array.isArray(list)
    , initState =
    {
      index    : 0,
      keyedList: isNamedList || sortMethod ? Object.keys(list) : null,
      jobs     : {},
      results  : isNamedList ? {} : [],
      size     : isNamedList ? Object.keys(list).length : list.length
    }
    ;

  if (sortMethod)
  {
    // sort array keys based on it's values
    // sort object's keys just on own merit
    initState.keyedList.sort(isNamedList ? sortMethod : function(a, b)
    {
      return sortMethod(list[a], list[b]);
    });
  }

  return initState;
}


/***/ }),

/***/ 3351:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

var abort = __nccwpck_require__(4818)
  , async = __nccwpck_require__(8452)
  ;

// API
module.exports = terminator;

/**
 * Terminates jobs in the attached state context
 *
 * @this  AsyncKitState#
 * @param {function} callback - final callback to invoke after termination
 */
function terminator(callback)
{
  if (!Object.keys(this.jobs).length)
  {
    return;
  }

  // fast forward iteration index
  this.index = this.size;

  // abort jobs
  abort(this);

  // send back results we have so far
  async(callback)(null, this.results);
}


/***/ }),

/***/ 3857:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

var iterate    = __nccwpck_require__(4902)
  , initState  = __nccwpck_require__(1721)
  , terminator = __nccwpck_require__(3351)
  ;

// Public API
module.exports = parallel;

/**
 * Runs iterator over provided array elements in parallel
 *
 * @param   {array|object} list - array or object (named list) to iterate over
 * @param   {function} iterator - iterator to run
 * @param   {function} callback - invoked when all elements processed
 * @returns {function} - jobs terminator
 */
function parallel(list, iterator, callback)
{
  var state = initState(list);

  while (state.index < (state['keyedList'] || list).length)
  {
    iterate(list, iterator, state, function(error, result)
    {
      if (error)
      {
        callback(error, result);
        return;
      }

      // looks like it's the last one
      if (Object.keys(state.jobs).length === 0)
      {
        callback(null, state.results);
        return;
      }
    });

    state.index++;
  }

  return terminator.bind(state, callback);
}


/***/ }),

/***/ 1054:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

var serialOrdered = __nccwpck_require__(3961);

// Public API
module.exports = serial;

/**
 * Runs iterator over provided array elements in series
 *
 * @param   {array|object} list - array or object (named list) to iterate over
 * @param   {function} iterator - iterator to run
 * @param   {function} callback - invoked when all elements processed
 * @returns {function} - jobs terminator
 */
function serial(list, iterator, callback)
{
  return serialOrdered(list, iterator, null, callback);
}


/***/ }),

/***/ 3961:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

var iterate    = __nccwpck_require__(4902)
  , initState  = __nccwpck_require__(1721)
  , terminator = __nccwpck_require__(3351)
  ;

// Public API
module.exports = serialOrdered;
// sorting helpers
module.exports.ascending  = ascending;
module.exports.descending = descending;

/**
 * Runs iterator over provided sorted array elements in series
 *
 * @param   {array|object} list - array or object (named list) to iterate over
 * @param   {function} iterator - iterator to run
 * @param   {function} sortMethod - custom sort function
 * @param   {function} callback - invoked when all elements processed
 * @returns {function} - jobs terminator
 */
function serialOrdered(list, iterator, sortMethod, callback)
{
  var state = initState(list, sortMethod);

  iterate(list, iterator, state, function iteratorHandler(error, result)
  {
    if (error)
    {
      callback(error, result);
      return;
    }

    state.index++;

    // are we there yet?
    if (state.index < (state['keyedList'] || list).length)
    {
      iterate(list, iterator, state, iteratorHandler);
      return;
    }

    // done here
    callback(null, state.results);
  });

  return terminator.bind(state, callback);
}

/*
 * -- Sort methods
 */

/**
 * sort helper to sort array elements in ascending order
 *
 * @param   {mixed} a - an item to compare
 * @param   {mixed} b - an item to compare
 * @returns {number} - comparison result
 */
function ascending(a, b)
{
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * sort helper to sort array elements in descending order
 *
 * @param   {mixed} a - an item to compare
 * @param   {mixed} b - an item to compare
 * @returns {number} - comparison result
 */
function descending(a, b)
{
  return -1 * ascending(a, b);
}


/***/ }),

/***/ 2639:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var bind = __nccwpck_require__(7564);

var $apply = __nccwpck_require__(3945);
var $call = __nccwpck_require__(8093);
var $reflectApply = __nccwpck_require__(1330);

/** @type {import('./actualApply')} */
module.exports = $reflectApply || bind.call($call, $apply);


/***/ }),

/***/ 3945:
/***/ ((module) => {

"use strict";


/** @type {import('./functionApply')} */
module.exports = Function.prototype.apply;


/***/ }),

/***/ 8093:
/***/ ((module) => {

"use strict";


/** @type {import('./functionCall')} */
module.exports = Function.prototype.call;


/***/ }),

/***/ 8705:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var bind = __nccwpck_require__(7564);
var $TypeError = __nccwpck_require__(3314);

var $call = __nccwpck_require__(8093);
var $actualApply = __nccwpck_require__(2639);

/** @type {(args: [Function, thisArg?: unknown, ...args: unknown[]]) => Function} TODO FIXME, find a way to use import('.') */
module.exports = function callBindBasic(args) {
	if (args.length < 1 || typeof args[0] !== 'function') {
		throw new $TypeError('a function is required');
	}
	return $actualApply(bind, $call, args);
};


/***/ }),

/***/ 1330:
/***/ ((module) => {

"use strict";


/** @type {import('./reflectApply')} */
module.exports = typeof Reflect !== 'undefined' && Reflect && Reflect.apply;


/***/ }),

/***/ 5630:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

var util = __nccwpck_require__(9023);
var Stream = (__nccwpck_require__(2203).Stream);
var DelayedStream = __nccwpck_require__(2710);

module.exports = CombinedStream;
function CombinedStream() {
  this.writable = false;
  this.readable = true;
  this.dataSize = 0;
  this.maxDataSize = 2 * 1024 * 1024;
  this.pauseStreams = true;

  this._released = false;
  this._streams = [];
  this._currentStream = null;
  this._insideLoop = false;
  this._pendingNext = false;
}
util.inherits(CombinedStream, Stream);

CombinedStream.create = function(options) {
  var combinedStream = new this();

  options = options || {};
  for (var option in options) {
    combinedStream[option] = options[option];
  }

  return combinedStream;
};

CombinedStream.isStreamLike = function(stream) {
  return (typeof stream !== 'function')
    && (typeof stream !== 'string')
    && (typeof stream !== 'boolean')
    && (typeof stream !== 'number')
    && (!Buffer.isBuffer(stream));
};

CombinedStream.prototype.append = function(stream) {
  var isStreamLike = CombinedStream.isStreamLike(stream);

  if (isStreamLike) {
    if (!(stream instanceof DelayedStream)) {
      var newStream = DelayedStream.create(stream, {
        maxDataSize: Infinity,
        pauseStream: this.pauseStreams,
      });
      stream.on('data', this._checkDataSize.bind(this));
      stream = newStream;
    }

    this._handleErrors(stream);

    if (this.pauseStreams) {
      stream.pause();
    }
  }

  this._streams.push(stream);
  return this;
};

CombinedStream.prototype.pipe = function(dest, options) {
  Stream.prototype.pipe.call(this, dest, options);
  this.resume();
  return dest;
};

CombinedStream.prototype._getNext = function() {
  this._currentStream = null;

  if (this._insideLoop) {
    this._pendingNext = true;
    return; // defer call
  }

  this._insideLoop = true;
  try {
    do {
      this._pendingNext = false;
      this._realGetNext();
    } while (this._pendingNext);
  } finally {
    this._insideLoop = false;
  }
};

CombinedStream.prototype._realGetNext = function() {
  var stream = this._streams.shift();


  if (typeof stream == 'undefined') {
    this.end();
    return;
  }

  if (typeof stream !== 'function') {
    this._pipeNext(stream);
    return;
  }

  var getStream = stream;
  getStream(function(stream) {
    var isStreamLike = CombinedStream.isStreamLike(stream);
    if (isStreamLike) {
      stream.on('data', this._checkDataSize.bind(this));
      this._handleErrors(stream);
    }

    this._pipeNext(stream);
  }.bind(this));
};

CombinedStream.prototype._pipeNext = function(stream) {
  this._currentStream = stream;

  var isStreamLike = CombinedStream.isStreamLike(stream);
  if (isStreamLike) {
    stream.on('end', this._getNext.bind(this));
    stream.pipe(this, {end: false});
    return;
  }

  var value = stream;
  this.write(value);
  this._getNext();
};

CombinedStream.prototype._handleErrors = function(stream) {
  var self = this;
  stream.on('error', function(err) {
    self._emitError(err);
  });
};

CombinedStream.prototype.write = function(data) {
  this.emit('data', data);
};

CombinedStream.prototype.pause = function() {
  if (!this.pauseStreams) {
    return;
  }

  if(this.pauseStreams && this._currentStream && typeof(this._currentStream.pause) == 'function') this._currentStream.pause();
  this.emit('pause');
};

CombinedStream.prototype.resume = function() {
  if (!this._released) {
    this._released = true;
    this.writable = true;
    this._getNext();
  }

  if(this.pauseStreams && this._currentStream && typeof(this._currentStream.resume) == 'function') this._currentStream.resume();
  this.emit('resume');
};

CombinedStream.prototype.end = function() {
  this._reset();
  this.emit('end');
};

CombinedStream.prototype.destroy = function() {
  this._reset();
  this.emit('close');
};

CombinedStream.prototype._reset = function() {
  this.writable = false;
  this._streams = [];
  this._currentStream = null;
};

CombinedStream.prototype._checkDataSize = function() {
  this._updateDataSize();
  if (this.dataSize <= this.maxDataSize) {
    return;
  }

  var message =
    'DelayedStream#maxDataSize of ' + this.maxDataSize + ' bytes exceeded.';
  this._emitError(new Error(message));
};

CombinedStream.prototype._updateDataSize = function() {
  this.dataSize = 0;

  var self = this;
  this._streams.forEach(function(stream) {
    if (!stream.dataSize) {
      return;
    }

    self.dataSize += stream.dataSize;
  });

  if (this._currentStream && this._currentStream.dataSize) {
    this.dataSize += this._currentStream.dataSize;
  }
};

CombinedStream.prototype._emitError = function(err) {
  this._reset();
  this.emit('error', err);
};


/***/ }),

/***/ 2710:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

var Stream = (__nccwpck_require__(2203).Stream);
var util = __nccwpck_require__(9023);

module.exports = DelayedStream;
function DelayedStream() {
  this.source = null;
  this.dataSize = 0;
  this.maxDataSize = 1024 * 1024;
  this.pauseStream = true;

  this._maxDataSizeExceeded = false;
  this._released = false;
  this._bufferedEvents = [];
}
util.inherits(DelayedStream, Stream);

DelayedStream.create = function(source, options) {
  var delayedStream = new this();

  options = options || {};
  for (var option in options) {
    delayedStream[option] = options[option];
  }

  delayedStream.source = source;

  var realEmit = source.emit;
  source.emit = function() {
    delayedStream._handleEmit(arguments);
    return realEmit.apply(source, arguments);
  };

  source.on('error', function() {});
  if (delayedStream.pauseStream) {
    source.pause();
  }

  return delayedStream;
};

Object.defineProperty(DelayedStream.prototype, 'readable', {
  configurable: true,
  enumerable: true,
  get: function() {
    return this.source.readable;
  }
});

DelayedStream.prototype.setEncoding = function() {
  return this.source.setEncoding.apply(this.source, arguments);
};

DelayedStream.prototype.resume = function() {
  if (!this._released) {
    this.release();
  }

  this.source.resume();
};

DelayedStream.prototype.pause = function() {
  this.source.pause();
};

DelayedStream.prototype.release = function() {
  this._released = true;

  this._bufferedEvents.forEach(function(args) {
    this.emit.apply(this, args);
  }.bind(this));
  this._bufferedEvents = [];
};

DelayedStream.prototype.pipe = function() {
  var r = Stream.prototype.pipe.apply(this, arguments);
  this.resume();
  return r;
};

DelayedStream.prototype._handleEmit = function(args) {
  if (this._released) {
    this.emit.apply(this, args);
    return;
  }

  if (args[0] === 'data') {
    this.dataSize += args[1].length;
    this._checkIfMaxDataSizeExceeded();
  }

  this._bufferedEvents.push(args);
};

DelayedStream.prototype._checkIfMaxDataSizeExceeded = function() {
  if (this._maxDataSizeExceeded) {
    return;
  }

  if (this.dataSize <= this.maxDataSize) {
    return;
  }

  this._maxDataSizeExceeded = true;
  var message =
    'DelayedStream#maxDataSize of ' + this.maxDataSize + ' bytes exceeded.'
  this.emit('error', new Error(message));
};


/***/ }),

/***/ 6669:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var callBind = __nccwpck_require__(8705);
var gOPD = __nccwpck_require__(3170);

var hasProtoAccessor;
try {
	// eslint-disable-next-line no-extra-parens, no-proto
	hasProtoAccessor = /** @type {{ __proto__?: typeof Array.prototype }} */ ([]).__proto__ === Array.prototype;
} catch (e) {
	if (!e || typeof e !== 'object' || !('code' in e) || e.code !== 'ERR_PROTO_ACCESS') {
		throw e;
	}
}

// eslint-disable-next-line no-extra-parens
var desc = !!hasProtoAccessor && gOPD && gOPD(Object.prototype, /** @type {keyof typeof Object.prototype} */ ('__proto__'));

var $Object = Object;
var $getPrototypeOf = $Object.getPrototypeOf;

/** @type {import('./get')} */
module.exports = desc && typeof desc.get === 'function'
	? callBind([desc.get])
	: typeof $getPrototypeOf === 'function'
		? /** @type {import('./get')} */ function getDunder(value) {
			// eslint-disable-next-line eqeqeq
			return $getPrototypeOf(value == null ? value : $Object(value));
		}
		: false;


/***/ }),

/***/ 9094:
/***/ ((module) => {

"use strict";


/** @type {import('.')} */
var $defineProperty = Object.defineProperty || false;
if ($defineProperty) {
	try {
		$defineProperty({}, 'a', { value: 1 });
	} catch (e) {
		// IE 8 has a broken defineProperty
		$defineProperty = false;
	}
}

module.exports = $defineProperty;


/***/ }),

/***/ 3056:
/***/ ((module) => {

"use strict";


/** @type {import('./eval')} */
module.exports = EvalError;


/***/ }),

/***/ 1620:
/***/ ((module) => {

"use strict";


/** @type {import('.')} */
module.exports = Error;


/***/ }),

/***/ 4585:
/***/ ((module) => {

"use strict";


/** @type {import('./range')} */
module.exports = RangeError;


/***/ }),

/***/ 6905:
/***/ ((module) => {

"use strict";


/** @type {import('./ref')} */
module.exports = ReferenceError;


/***/ }),

/***/ 105:
/***/ ((module) => {

"use strict";


/** @type {import('./syntax')} */
module.exports = SyntaxError;


/***/ }),

/***/ 3314:
/***/ ((module) => {

"use strict";


/** @type {import('./type')} */
module.exports = TypeError;


/***/ }),

/***/ 2578:
/***/ ((module) => {

"use strict";


/** @type {import('./uri')} */
module.exports = URIError;


/***/ }),

/***/ 5399:
/***/ ((module) => {

"use strict";


/** @type {import('.')} */
module.exports = Object;


/***/ }),

/***/ 6454:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var CombinedStream = __nccwpck_require__(5630);
var util = __nccwpck_require__(9023);
var path = __nccwpck_require__(6928);
var http = __nccwpck_require__(8611);
var https = __nccwpck_require__(5692);
var parseUrl = (__nccwpck_require__(7016).parse);
var fs = __nccwpck_require__(9896);
var Stream = (__nccwpck_require__(2203).Stream);
var crypto = __nccwpck_require__(6982);
var mime = __nccwpck_require__(9116);
var asynckit = __nccwpck_require__(1324);
var setToStringTag = __nccwpck_require__(6773);
var hasOwn = __nccwpck_require__(4076);
var populate = __nccwpck_require__(1835);

/**
 * Escape CR, LF, and `"` in a multipart `name`/`filename` parameter, so a field
 * name or filename can not break out of its header line to inject headers or
 * smuggle additional parts. Matches the WHATWG HTML multipart/form-data encoding.
 *
 * @param {string} str - the parameter value to escape
 * @returns {string} the escaped value
 */
function escapeHeaderParam(str) {
  return String(str).replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}

/**
 * Create readable "multipart/form-data" streams.
 * Can be used to submit forms
 * and file uploads to other web applications.
 *
 * @constructor
 * @param {object} options - Properties to be added/overriden for FormData and CombinedStream
 */
function FormData(options) {
  if (!(this instanceof FormData)) {
    return new FormData(options);
  }

  this._overheadLength = 0;
  this._valueLength = 0;
  this._valuesToMeasure = [];

  CombinedStream.call(this);

  options = options || {}; // eslint-disable-line no-param-reassign
  for (var option in options) { // eslint-disable-line no-restricted-syntax
    this[option] = options[option];
  }
}

// make it a Stream
util.inherits(FormData, CombinedStream);

FormData.LINE_BREAK = '\r\n';
FormData.DEFAULT_CONTENT_TYPE = 'application/octet-stream';

FormData.prototype.append = function (field, value, options) {
  options = options || {}; // eslint-disable-line no-param-reassign

  // allow filename as single option
  if (typeof options === 'string') {
    options = { filename: options }; // eslint-disable-line no-param-reassign
  }

  var append = CombinedStream.prototype.append.bind(this);

  // all that streamy business can't handle numbers
  if (typeof value === 'number' || value == null) {
    value = String(value); // eslint-disable-line no-param-reassign
  }

  // https://github.com/felixge/node-form-data/issues/38
  if (Array.isArray(value)) {
    /*
     * Please convert your array into string
     * the way web server expects it
     */
    this._error(new Error('Arrays are not supported.'));
    return;
  }

  var header = this._multiPartHeader(field, value, options);
  var footer = this._multiPartFooter();

  append(header);
  append(value);
  append(footer);

  // pass along options.knownLength
  this._trackLength(header, value, options);
};

FormData.prototype._trackLength = function (header, value, options) {
  var valueLength = 0;

  /*
   * used w/ getLengthSync(), when length is known.
   * e.g. for streaming directly from a remote server,
   * w/ a known file a size, and not wanting to wait for
   * incoming file to finish to get its size.
   */
  if (options.knownLength != null) {
    valueLength += Number(options.knownLength);
  } else if (Buffer.isBuffer(value)) {
    valueLength = value.length;
  } else if (typeof value === 'string') {
    valueLength = Buffer.byteLength(value);
  }

  this._valueLength += valueLength;

  // @check why add CRLF? does this account for custom/multiple CRLFs?
  this._overheadLength += Buffer.byteLength(header) + FormData.LINE_BREAK.length;

  // empty or either doesn't have path or not an http response or not a stream
  if (!value || (!value.path && !(value.readable && hasOwn(value, 'httpVersion')) && !(value instanceof Stream))) {
    return;
  }

  // no need to bother with the length
  if (!options.knownLength) {
    this._valuesToMeasure.push(value);
  }
};

FormData.prototype._lengthRetriever = function (value, callback) {
  if (hasOwn(value, 'fd')) {
    // take read range into a account
    // `end` = Infinity –> read file till the end
    //
    // TODO: Looks like there is bug in Node fs.createReadStream
    // it doesn't respect `end` options without `start` options
    // Fix it when node fixes it.
    // https://github.com/joyent/node/issues/7819
    if (value.end != undefined && value.end != Infinity && value.start != undefined) {
      // when end specified
      // no need to calculate range
      // inclusive, starts with 0
      callback(null, value.end + 1 - (value.start ? value.start : 0)); // eslint-disable-line callback-return

      // not that fast snoopy
    } else {
      // still need to fetch file size from fs
      fs.stat(value.path, function (err, stat) {
        if (err) {
          callback(err);
          return;
        }

        // update final size based on the range options
        var fileSize = stat.size - (value.start ? value.start : 0);
        callback(null, fileSize);
      });
    }

    // or http response
  } else if (hasOwn(value, 'httpVersion')) {
    callback(null, Number(value.headers['content-length'])); // eslint-disable-line callback-return

    // or request stream http://github.com/mikeal/request
  } else if (hasOwn(value, 'httpModule')) {
    // wait till response come back
    value.on('response', function (response) {
      value.pause();
      callback(null, Number(response.headers['content-length']));
    });
    value.resume();

    // something else
  } else {
    callback('Unknown stream'); // eslint-disable-line callback-return
  }
};

FormData.prototype._multiPartHeader = function (field, value, options) {
  /*
   * custom header specified (as string)?
   * it becomes responsible for boundary
   * (e.g. to handle extra CRLFs on .NET servers)
   */
  if (typeof options.header === 'string') {
    return options.header;
  }

  var contentDisposition = this._getContentDisposition(value, options);
  var contentType = this._getContentType(value, options);

  var contents = '';
  var headers = {
    // add custom disposition as third element or keep it two elements if not
    'Content-Disposition': ['form-data', 'name="' + escapeHeaderParam(field) + '"'].concat(contentDisposition || []),
    // if no content type. allow it to be empty array
    'Content-Type': [].concat(contentType || [])
  };

  // allow custom headers.
  if (typeof options.header === 'object') {
    populate(headers, options.header);
  }

  var header;
  for (var prop in headers) { // eslint-disable-line no-restricted-syntax
    if (hasOwn(headers, prop)) {
      header = headers[prop];

      // skip nullish headers.
      if (header == null) {
        continue; // eslint-disable-line no-restricted-syntax, no-continue
      }

      // convert all headers to arrays.
      if (!Array.isArray(header)) {
        header = [header];
      }

      // add non-empty headers.
      if (header.length) {
        contents += prop + ': ' + header.join('; ') + FormData.LINE_BREAK;
      }
    }
  }

  return '--' + this.getBoundary() + FormData.LINE_BREAK + contents + FormData.LINE_BREAK;
};

FormData.prototype._getContentDisposition = function (value, options) { // eslint-disable-line consistent-return
  var filename;

  if (typeof options.filepath === 'string') {
    // custom filepath for relative paths
    filename = path.normalize(options.filepath).replace(/\\/g, '/');
  } else if (options.filename || (value && (value.name || value.path))) {
    /*
     * custom filename take precedence
     * formidable and the browser add a name property
     * fs- and request- streams have path property
     */
    filename = path.basename(options.filename || (value && (value.name || value.path)));
  } else if (value && value.readable && hasOwn(value, 'httpVersion')) {
    // or try http response
    filename = path.basename(value.client._httpMessage.path || '');
  }

  if (filename) {
    return 'filename="' + escapeHeaderParam(filename) + '"';
  }
};

FormData.prototype._getContentType = function (value, options) {
  // use custom content-type above all
  var contentType = options.contentType;

  // or try `name` from formidable, browser
  if (!contentType && value && value.name) {
    contentType = mime.lookup(value.name);
  }

  // or try `path` from fs-, request- streams
  if (!contentType && value && value.path) {
    contentType = mime.lookup(value.path);
  }

  // or if it's http-reponse
  if (!contentType && value && value.readable && hasOwn(value, 'httpVersion')) {
    contentType = value.headers['content-type'];
  }

  // or guess it from the filepath or filename
  if (!contentType && (options.filepath || options.filename)) {
    contentType = mime.lookup(options.filepath || options.filename);
  }

  // fallback to the default content type if `value` is not simple value
  if (!contentType && value && typeof value === 'object') {
    contentType = FormData.DEFAULT_CONTENT_TYPE;
  }

  return contentType;
};

FormData.prototype._multiPartFooter = function () {
  return function (next) {
    var footer = FormData.LINE_BREAK;

    var lastPart = this._streams.length === 0;
    if (lastPart) {
      footer += this._lastBoundary();
    }

    next(footer);
  }.bind(this);
};

FormData.prototype._lastBoundary = function () {
  return '--' + this.getBoundary() + '--' + FormData.LINE_BREAK;
};

FormData.prototype.getHeaders = function (userHeaders) {
  var header;
  var formHeaders = {
    'content-type': 'multipart/form-data; boundary=' + this.getBoundary()
  };

  for (header in userHeaders) { // eslint-disable-line no-restricted-syntax
    if (hasOwn(userHeaders, header)) {
      formHeaders[header.toLowerCase()] = userHeaders[header];
    }
  }

  return formHeaders;
};

FormData.prototype.setBoundary = function (boundary) {
  if (typeof boundary !== 'string') {
    throw new TypeError('FormData boundary must be a string');
  }
  this._boundary = boundary;
};

FormData.prototype.getBoundary = function () {
  if (!this._boundary) {
    this._generateBoundary();
  }

  return this._boundary;
};

FormData.prototype.getBuffer = function () {
  var dataBuffer = new Buffer.alloc(0); // eslint-disable-line new-cap
  var boundary = this.getBoundary();

  // Create the form content. Add Line breaks to the end of data.
  for (var i = 0, len = this._streams.length; i < len; i++) {
    if (typeof this._streams[i] !== 'function') {
      // Add content to the buffer.
      if (Buffer.isBuffer(this._streams[i])) {
        dataBuffer = Buffer.concat([dataBuffer, this._streams[i]]);
      } else {
        dataBuffer = Buffer.concat([dataBuffer, Buffer.from(this._streams[i])]);
      }

      // Add break after content.
      if (typeof this._streams[i] !== 'string' || this._streams[i].substring(2, boundary.length + 2) !== boundary) {
        dataBuffer = Buffer.concat([dataBuffer, Buffer.from(FormData.LINE_BREAK)]);
      }
    }
  }

  // Add the footer and return the Buffer object.
  return Buffer.concat([dataBuffer, Buffer.from(this._lastBoundary())]);
};

FormData.prototype._generateBoundary = function () {
  // This generates a 50 character boundary similar to those used by Firefox.

  // They are optimized for boyer-moore parsing.
  this._boundary = '--------------------------' + crypto.randomBytes(12).toString('hex');
};

// Note: getLengthSync DOESN'T calculate streams length
// As workaround one can calculate file size manually and add it as knownLength option
FormData.prototype.getLengthSync = function () {
  var knownLength = this._overheadLength + this._valueLength;

  // Don't get confused, there are 3 "internal" streams for each keyval pair so it basically checks if there is any value added to the form
  if (this._streams.length) {
    knownLength += this._lastBoundary().length;
  }

  // https://github.com/form-data/form-data/issues/40
  if (!this.hasKnownLength()) {
    /*
     * Some async length retrievers are present
     * therefore synchronous length calculation is false.
     * Please use getLength(callback) to get proper length
     */
    this._error(new Error('Cannot calculate proper length in synchronous way.'));
  }

  return knownLength;
};

// Public API to check if length of added values is known
// https://github.com/form-data/form-data/issues/196
// https://github.com/form-data/form-data/issues/262
FormData.prototype.hasKnownLength = function () {
  var hasKnownLength = true;

  if (this._valuesToMeasure.length) {
    hasKnownLength = false;
  }

  return hasKnownLength;
};

FormData.prototype.getLength = function (cb) {
  var knownLength = this._overheadLength + this._valueLength;

  if (this._streams.length) {
    knownLength += this._lastBoundary().length;
  }

  if (!this._valuesToMeasure.length) {
    process.nextTick(cb.bind(this, null, knownLength));
    return;
  }

  asynckit.parallel(this._valuesToMeasure, this._lengthRetriever, function (err, values) {
    if (err) {
      cb(err);
      return;
    }

    values.forEach(function (length) {
      knownLength += length;
    });

    cb(null, knownLength);
  });
};

FormData.prototype.submit = function (params, cb) {
  var request;
  var options;
  var defaults = { method: 'post' };

  // parse provided url if it's string or treat it as options object
  if (typeof params === 'string') {
    params = parseUrl(params); // eslint-disable-line no-param-reassign
    /* eslint sort-keys: 0 */
    options = populate({
      port: params.port,
      path: params.pathname,
      host: params.hostname,
      protocol: params.protocol
    }, defaults);
  } else { // use custom params
    options = populate(params, defaults);
    // if no port provided use default one
    if (!options.port) {
      options.port = options.protocol === 'https:' ? 443 : 80;
    }
  }

  // put that good code in getHeaders to some use
  options.headers = this.getHeaders(params.headers);

  // https if specified, fallback to http in any other case
  if (options.protocol === 'https:') {
    request = https.request(options);
  } else {
    request = http.request(options);
  }

  // get content length and fire away
  this.getLength(function (err, length) {
    if (err && err !== 'Unknown stream') {
      this._error(err);
      return;
    }

    // add content length
    if (length) {
      request.setHeader('Content-Length', length);
    }

    this.pipe(request);
    if (cb) {
      var onResponse;

      var callback = function (error, responce) {
        request.removeListener('error', callback);
        request.removeListener('response', onResponse);

        return cb.call(this, error, responce);
      };

      onResponse = callback.bind(this, null);

      request.on('error', callback);
      request.on('response', onResponse);
    }
  }.bind(this));

  return request;
};

FormData.prototype._error = function (err) {
  if (!this.error) {
    this.error = err;
    this.pause();
    this.emit('error', err);
  }
};

FormData.prototype.toString = function () {
  return '[object FormData]';
};
setToStringTag(FormData.prototype, 'FormData');

// Public API
module.exports = FormData;


/***/ }),

/***/ 1835:
/***/ ((module) => {

"use strict";


// populates missing values
module.exports = function (dst, src) {
  Object.keys(src).forEach(function (prop) {
    dst[prop] = dst[prop] || src[prop]; // eslint-disable-line no-param-reassign
  });

  return dst;
};


/***/ }),

/***/ 6773:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var GetIntrinsic = __nccwpck_require__(470);

var $defineProperty = GetIntrinsic('%Object.defineProperty%', true);

var hasToStringTag = __nccwpck_require__(5479)();
var hasOwn = __nccwpck_require__(4076);
var $TypeError = __nccwpck_require__(3314);

var toStringTag = hasToStringTag ? Symbol.toStringTag : null;

/** @type {import('.')} */
module.exports = function setToStringTag(object, value) {
	var overrideIfSet = arguments.length > 2 && !!arguments[2] && arguments[2].force;
	var nonConfigurable = arguments.length > 2 && !!arguments[2] && arguments[2].nonConfigurable;
	if (
		(typeof overrideIfSet !== 'undefined' && typeof overrideIfSet !== 'boolean')
		|| (typeof nonConfigurable !== 'undefined' && typeof nonConfigurable !== 'boolean')
	) {
		throw new $TypeError('if provided, the `overrideIfSet` and `nonConfigurable` options must be booleans');
	}
	if (toStringTag && (overrideIfSet || !hasOwn(object, toStringTag))) {
		if ($defineProperty) {
			$defineProperty(object, toStringTag, {
				configurable: !nonConfigurable,
				enumerable: false,
				value: value,
				writable: false
			});
		} else {
			object[toStringTag] = value; // eslint-disable-line no-param-reassign
		}
	}
};


/***/ }),

/***/ 9808:
/***/ ((module) => {

"use strict";


/* eslint no-invalid-this: 1 */

var ERROR_MESSAGE = 'Function.prototype.bind called on incompatible ';
var toStr = Object.prototype.toString;
var max = Math.max;
var funcType = '[object Function]';

var concatty = function concatty(a, b) {
    var arr = [];

    for (var i = 0; i < a.length; i += 1) {
        arr[i] = a[i];
    }
    for (var j = 0; j < b.length; j += 1) {
        arr[j + a.length] = b[j];
    }

    return arr;
};

var slicy = function slicy(arrLike, offset) {
    var arr = [];
    for (var i = offset || 0, j = 0; i < arrLike.length; i += 1, j += 1) {
        arr[j] = arrLike[i];
    }
    return arr;
};

var joiny = function (arr, joiner) {
    var str = '';
    for (var i = 0; i < arr.length; i += 1) {
        str += arr[i];
        if (i + 1 < arr.length) {
            str += joiner;
        }
    }
    return str;
};

module.exports = function bind(that) {
    var target = this;
    if (typeof target !== 'function' || toStr.apply(target) !== funcType) {
        throw new TypeError(ERROR_MESSAGE + target);
    }
    var args = slicy(arguments, 1);

    var bound;
    var binder = function () {
        if (this instanceof bound) {
            var result = target.apply(
                this,
                concatty(args, arguments)
            );
            if (Object(result) === result) {
                return result;
            }
            return this;
        }
        return target.apply(
            that,
            concatty(args, arguments)
        );

    };

    var boundLength = max(0, target.length - args.length);
    var boundArgs = [];
    for (var i = 0; i < boundLength; i++) {
        boundArgs[i] = '$' + i;
    }

    bound = Function('binder', 'return function (' + joiny(boundArgs, ',') + '){ return binder.apply(this,arguments); }')(binder);

    if (target.prototype) {
        var Empty = function Empty() {};
        Empty.prototype = target.prototype;
        bound.prototype = new Empty();
        Empty.prototype = null;
    }

    return bound;
};


/***/ }),

/***/ 7564:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var implementation = __nccwpck_require__(9808);

module.exports = Function.prototype.bind || implementation;


/***/ }),

/***/ 7228:
/***/ ((module) => {

"use strict";


// eslint-disable-next-line no-extra-parens, no-empty-function
const cached = /** @type {GeneratorFunctionConstructor} */ (function* () {}.constructor);

/** @type {import('.')} */
module.exports = () => cached;



/***/ }),

/***/ 470:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var undefined;

var $Object = __nccwpck_require__(5399);

var $Error = __nccwpck_require__(1620);
var $EvalError = __nccwpck_require__(3056);
var $RangeError = __nccwpck_require__(4585);
var $ReferenceError = __nccwpck_require__(6905);
var $SyntaxError = __nccwpck_require__(105);
var $TypeError = __nccwpck_require__(3314);
var $URIError = __nccwpck_require__(2578);

var abs = __nccwpck_require__(5641);
var floor = __nccwpck_require__(6171);
var max = __nccwpck_require__(7147);
var min = __nccwpck_require__(1017);
var pow = __nccwpck_require__(6947);
var round = __nccwpck_require__(2621);
var sign = __nccwpck_require__(156);

var $gOPD = __nccwpck_require__(3170);
var $defineProperty = __nccwpck_require__(9094);

var throwTypeError = function () {
	throw new $TypeError();
};
var ThrowTypeError = $gOPD
	? (function () {
		try {
			// eslint-disable-next-line no-unused-expressions, no-caller, no-restricted-properties
			arguments.callee; // IE 8 does not throw here
			return throwTypeError;
		} catch (calleeThrows) {
			try {
				// IE 8 throws on Object.getOwnPropertyDescriptor(arguments, '')
				return $gOPD(arguments, 'callee').get;
			} catch (gOPDthrows) {
				return throwTypeError;
			}
		}
	}())
	: throwTypeError;

var hasSymbols = __nccwpck_require__(3336)();

var getProto = __nccwpck_require__(1967);
var $ObjectGPO = __nccwpck_require__(1311);
var $ReflectGPO = __nccwpck_require__(8681);

var $apply = __nccwpck_require__(3945);
var $call = __nccwpck_require__(8093);

var needsEval = {};

var TypedArray = typeof Uint8Array === 'undefined' || !getProto ? undefined : getProto(Uint8Array);

var INTRINSICS = {
	__proto__: null,
	'%AggregateError%': typeof AggregateError === 'undefined' ? undefined : AggregateError,
	'%Array%': Array,
	'%ArrayBuffer%': typeof ArrayBuffer === 'undefined' ? undefined : ArrayBuffer,
	'%ArrayIteratorPrototype%': hasSymbols && getProto ? getProto([][Symbol.iterator]()) : undefined,
	'%AsyncFromSyncIteratorPrototype%': undefined,
	'%AsyncFunction%': needsEval,
	'%AsyncGenerator%': needsEval,
	'%AsyncGeneratorFunction%': needsEval,
	'%AsyncIteratorPrototype%': needsEval,
	'%Atomics%': typeof Atomics === 'undefined' ? undefined : Atomics,
	'%BigInt%': typeof BigInt === 'undefined' ? undefined : BigInt,
	'%BigInt64Array%': typeof BigInt64Array === 'undefined' ? undefined : BigInt64Array,
	'%BigUint64Array%': typeof BigUint64Array === 'undefined' ? undefined : BigUint64Array,
	'%Boolean%': Boolean,
	'%DataView%': typeof DataView === 'undefined' ? undefined : DataView,
	'%Date%': Date,
	'%decodeURI%': decodeURI,
	'%decodeURIComponent%': decodeURIComponent,
	'%encodeURI%': encodeURI,
	'%encodeURIComponent%': encodeURIComponent,
	'%Error%': $Error,
	'%eval%': eval, // eslint-disable-line no-eval
	'%EvalError%': $EvalError,
	'%Float16Array%': typeof Float16Array === 'undefined' ? undefined : Float16Array,
	'%Float32Array%': typeof Float32Array === 'undefined' ? undefined : Float32Array,
	'%Float64Array%': typeof Float64Array === 'undefined' ? undefined : Float64Array,
	'%FinalizationRegistry%': typeof FinalizationRegistry === 'undefined' ? undefined : FinalizationRegistry,
	'%Function%': Function,
	'%GeneratorFunction%': needsEval,
	'%Int8Array%': typeof Int8Array === 'undefined' ? undefined : Int8Array,
	'%Int16Array%': typeof Int16Array === 'undefined' ? undefined : Int16Array,
	'%Int32Array%': typeof Int32Array === 'undefined' ? undefined : Int32Array,
	'%isFinite%': isFinite,
	'%isNaN%': isNaN,
	'%IteratorPrototype%': hasSymbols && getProto ? getProto(getProto([][Symbol.iterator]())) : undefined,
	'%JSON%': typeof JSON === 'object' ? JSON : undefined,
	'%Map%': typeof Map === 'undefined' ? undefined : Map,
	'%MapIteratorPrototype%': typeof Map === 'undefined' || !hasSymbols || !getProto ? undefined : getProto(new Map()[Symbol.iterator]()),
	'%Math%': Math,
	'%Number%': Number,
	'%Object%': $Object,
	'%Object.getOwnPropertyDescriptor%': $gOPD,
	'%parseFloat%': parseFloat,
	'%parseInt%': parseInt,
	'%Promise%': typeof Promise === 'undefined' ? undefined : Promise,
	'%Proxy%': typeof Proxy === 'undefined' ? undefined : Proxy,
	'%RangeError%': $RangeError,
	'%ReferenceError%': $ReferenceError,
	'%Reflect%': typeof Reflect === 'undefined' ? undefined : Reflect,
	'%RegExp%': RegExp,
	'%Set%': typeof Set === 'undefined' ? undefined : Set,
	'%SetIteratorPrototype%': typeof Set === 'undefined' || !hasSymbols || !getProto ? undefined : getProto(new Set()[Symbol.iterator]()),
	'%SharedArrayBuffer%': typeof SharedArrayBuffer === 'undefined' ? undefined : SharedArrayBuffer,
	'%String%': String,
	'%StringIteratorPrototype%': hasSymbols && getProto ? getProto(''[Symbol.iterator]()) : undefined,
	'%Symbol%': hasSymbols ? Symbol : undefined,
	'%SyntaxError%': $SyntaxError,
	'%ThrowTypeError%': ThrowTypeError,
	'%TypedArray%': TypedArray,
	'%TypeError%': $TypeError,
	'%Uint8Array%': typeof Uint8Array === 'undefined' ? undefined : Uint8Array,
	'%Uint8ClampedArray%': typeof Uint8ClampedArray === 'undefined' ? undefined : Uint8ClampedArray,
	'%Uint16Array%': typeof Uint16Array === 'undefined' ? undefined : Uint16Array,
	'%Uint32Array%': typeof Uint32Array === 'undefined' ? undefined : Uint32Array,
	'%URIError%': $URIError,
	'%WeakMap%': typeof WeakMap === 'undefined' ? undefined : WeakMap,
	'%WeakRef%': typeof WeakRef === 'undefined' ? undefined : WeakRef,
	'%WeakSet%': typeof WeakSet === 'undefined' ? undefined : WeakSet,

	'%Function.prototype.call%': $call,
	'%Function.prototype.apply%': $apply,
	'%Object.defineProperty%': $defineProperty,
	'%Object.getPrototypeOf%': $ObjectGPO,
	'%Math.abs%': abs,
	'%Math.floor%': floor,
	'%Math.max%': max,
	'%Math.min%': min,
	'%Math.pow%': pow,
	'%Math.round%': round,
	'%Math.sign%': sign,
	'%Reflect.getPrototypeOf%': $ReflectGPO
};

if (getProto) {
	try {
		null.error; // eslint-disable-line no-unused-expressions
	} catch (e) {
		// https://github.com/tc39/proposal-shadowrealm/pull/384#issuecomment-1364264229
		var errorProto = getProto(getProto(e));
		INTRINSICS['%Error.prototype%'] = errorProto;
	}
}

var getAsyncFunction = __nccwpck_require__(1491);
var getGeneratorFunction = __nccwpck_require__(7228);
var getAsyncGeneratorFunction = __nccwpck_require__(7655);

var doEval = function doEval(name) {
	var value;
	if (name === '%AsyncFunction%') {
		value = getAsyncFunction() || void undefined;
	} else if (name === '%GeneratorFunction%') {
		value = getGeneratorFunction() || void undefined;
	} else if (name === '%AsyncGeneratorFunction%') {
		value = getAsyncGeneratorFunction() || void undefined;
	} else if (name === '%AsyncGenerator%') {
		var fn = doEval('%AsyncGeneratorFunction%');
		if (fn) {
			value = fn.prototype;
		}
	} else if (name === '%AsyncIteratorPrototype%') {
		var gen = doEval('%AsyncGenerator%');
		if (gen && getProto) {
			value = getProto(gen.prototype);
		}
	}

	INTRINSICS[name] = value;

	return value;
};

var LEGACY_ALIASES = {
	__proto__: null,
	'%ArrayBufferPrototype%': ['ArrayBuffer', 'prototype'],
	'%ArrayPrototype%': ['Array', 'prototype'],
	'%ArrayProto_entries%': ['Array', 'prototype', 'entries'],
	'%ArrayProto_forEach%': ['Array', 'prototype', 'forEach'],
	'%ArrayProto_keys%': ['Array', 'prototype', 'keys'],
	'%ArrayProto_values%': ['Array', 'prototype', 'values'],
	'%AsyncFunctionPrototype%': ['AsyncFunction', 'prototype'],
	'%AsyncGenerator%': ['AsyncGeneratorFunction', 'prototype'],
	'%AsyncGeneratorPrototype%': ['AsyncGeneratorFunction', 'prototype', 'prototype'],
	'%BooleanPrototype%': ['Boolean', 'prototype'],
	'%DataViewPrototype%': ['DataView', 'prototype'],
	'%DatePrototype%': ['Date', 'prototype'],
	'%ErrorPrototype%': ['Error', 'prototype'],
	'%EvalErrorPrototype%': ['EvalError', 'prototype'],
	'%Float32ArrayPrototype%': ['Float32Array', 'prototype'],
	'%Float64ArrayPrototype%': ['Float64Array', 'prototype'],
	'%FunctionPrototype%': ['Function', 'prototype'],
	'%Generator%': ['GeneratorFunction', 'prototype'],
	'%GeneratorPrototype%': ['GeneratorFunction', 'prototype', 'prototype'],
	'%Int8ArrayPrototype%': ['Int8Array', 'prototype'],
	'%Int16ArrayPrototype%': ['Int16Array', 'prototype'],
	'%Int32ArrayPrototype%': ['Int32Array', 'prototype'],
	'%JSONParse%': ['JSON', 'parse'],
	'%JSONStringify%': ['JSON', 'stringify'],
	'%MapPrototype%': ['Map', 'prototype'],
	'%NumberPrototype%': ['Number', 'prototype'],
	'%ObjectPrototype%': ['Object', 'prototype'],
	'%ObjProto_toString%': ['Object', 'prototype', 'toString'],
	'%ObjProto_valueOf%': ['Object', 'prototype', 'valueOf'],
	'%PromisePrototype%': ['Promise', 'prototype'],
	'%PromiseProto_then%': ['Promise', 'prototype', 'then'],
	'%Promise_all%': ['Promise', 'all'],
	'%Promise_reject%': ['Promise', 'reject'],
	'%Promise_resolve%': ['Promise', 'resolve'],
	'%RangeErrorPrototype%': ['RangeError', 'prototype'],
	'%ReferenceErrorPrototype%': ['ReferenceError', 'prototype'],
	'%RegExpPrototype%': ['RegExp', 'prototype'],
	'%SetPrototype%': ['Set', 'prototype'],
	'%SharedArrayBufferPrototype%': ['SharedArrayBuffer', 'prototype'],
	'%StringPrototype%': ['String', 'prototype'],
	'%SymbolPrototype%': ['Symbol', 'prototype'],
	'%SyntaxErrorPrototype%': ['SyntaxError', 'prototype'],
	'%TypedArrayPrototype%': ['TypedArray', 'prototype'],
	'%TypeErrorPrototype%': ['TypeError', 'prototype'],
	'%Uint8ArrayPrototype%': ['Uint8Array', 'prototype'],
	'%Uint8ClampedArrayPrototype%': ['Uint8ClampedArray', 'prototype'],
	'%Uint16ArrayPrototype%': ['Uint16Array', 'prototype'],
	'%Uint32ArrayPrototype%': ['Uint32Array', 'prototype'],
	'%URIErrorPrototype%': ['URIError', 'prototype'],
	'%WeakMapPrototype%': ['WeakMap', 'prototype'],
	'%WeakSetPrototype%': ['WeakSet', 'prototype']
};

var bind = __nccwpck_require__(7564);
var hasOwn = __nccwpck_require__(4076);
var $concat = bind.call($call, Array.prototype.concat);
var $spliceApply = bind.call($apply, Array.prototype.splice);
var $replace = bind.call($call, String.prototype.replace);
var $strSlice = bind.call($call, String.prototype.slice);
var $exec = bind.call($call, RegExp.prototype.exec);

/* adapted from https://github.com/lodash/lodash/blob/4.17.15/dist/lodash.js#L6735-L6744 */
var rePropName = /[^%.[\]]+|\[(?:(-?\d+(?:\.\d+)?)|(["'])((?:(?!\2)[^\\]|\\.)*?)\2)\]|(?=(?:\.|\[\])(?:\.|\[\]|%$))/g;
var reEscapeChar = /\\(\\)?/g; /** Used to match backslashes in property paths. */
var stringToPath = function stringToPath(string) {
	var first = $strSlice(string, 0, 1);
	var last = $strSlice(string, -1);
	if (first === '%' && last !== '%') {
		throw new $SyntaxError('invalid intrinsic syntax, expected closing `%`');
	} else if (last === '%' && first !== '%') {
		throw new $SyntaxError('invalid intrinsic syntax, expected opening `%`');
	}
	var result = [];
	$replace(string, rePropName, function (match, number, quote, subString) {
		result[result.length] = quote ? $replace(subString, reEscapeChar, '$1') : number || match;
	});
	return result;
};
/* end adaptation */

var getBaseIntrinsic = function getBaseIntrinsic(name, allowMissing) {
	var intrinsicName = name;
	var alias;
	if (hasOwn(LEGACY_ALIASES, intrinsicName)) {
		alias = LEGACY_ALIASES[intrinsicName];
		intrinsicName = '%' + alias[0] + '%';
	}

	if (hasOwn(INTRINSICS, intrinsicName)) {
		var value = INTRINSICS[intrinsicName];
		if (value === needsEval) {
			value = doEval(intrinsicName);
		}
		if (typeof value === 'undefined' && !allowMissing) {
			throw new $TypeError('intrinsic ' + name + ' exists, but is not available. Please file an issue!');
		}

		return {
			alias: alias,
			name: intrinsicName,
			value: value
		};
	}

	throw new $SyntaxError('intrinsic ' + name + ' does not exist!');
};

module.exports = function GetIntrinsic(name, allowMissing) {
	if (typeof name !== 'string' || name.length === 0) {
		throw new $TypeError('intrinsic name must be a non-empty string');
	}
	if (arguments.length > 1 && typeof allowMissing !== 'boolean') {
		throw new $TypeError('"allowMissing" argument must be a boolean');
	}

	if ($exec(/^%?[^%]*%?$/, name) === null) {
		throw new $SyntaxError('`%` may not be present anywhere but at the beginning and end of the intrinsic name');
	}
	var parts = stringToPath(name);
	var intrinsicBaseName = parts.length > 0 ? parts[0] : '';

	var intrinsic = getBaseIntrinsic('%' + intrinsicBaseName + '%', allowMissing);
	var intrinsicRealName = intrinsic.name;
	var value = intrinsic.value;
	var skipFurtherCaching = false;

	var alias = intrinsic.alias;
	if (alias) {
		intrinsicBaseName = alias[0];
		$spliceApply(parts, $concat([0, 1], alias));
	}

	for (var i = 1, isOwn = true; i < parts.length; i += 1) {
		var part = parts[i];
		var first = $strSlice(part, 0, 1);
		var last = $strSlice(part, -1);
		if (
			(
				(first === '"' || first === "'" || first === '`')
				|| (last === '"' || last === "'" || last === '`')
			)
			&& first !== last
		) {
			throw new $SyntaxError('property names with quotes must have matching quotes');
		}
		if (part === 'constructor' || !isOwn) {
			skipFurtherCaching = true;
		}

		intrinsicBaseName += '.' + part;
		intrinsicRealName = '%' + intrinsicBaseName + '%';

		if (hasOwn(INTRINSICS, intrinsicRealName)) {
			value = INTRINSICS[intrinsicRealName];
		} else if (value != null) {
			if (!(part in value)) {
				if (!allowMissing) {
					throw new $TypeError('base intrinsic for ' + name + ' exists, but the property is not available.');
				}
				return void undefined;
			}
			if ($gOPD && (i + 1) >= parts.length) {
				var desc = $gOPD(value, part);
				isOwn = !!desc;

				// By convention, when a data property is converted to an accessor
				// property to emulate a data property that does not suffer from
				// the override mistake, that accessor's getter is marked with
				// an `originalValue` property. Here, when we detect this, we
				// uphold the illusion by pretending to see that original data
				// property, i.e., returning the value rather than the getter
				// itself.
				if (isOwn && 'get' in desc && !('originalValue' in desc.get)) {
					value = desc.get;
				} else {
					value = value[part];
				}
			} else {
				isOwn = hasOwn(value, part);
				value = value[part];
			}

			if (isOwn && !skipFurtherCaching) {
				INTRINSICS[intrinsicRealName] = value;
			}
		}
	}
	return value;
};


/***/ }),

/***/ 1311:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var $Object = __nccwpck_require__(5399);

/** @type {import('./Object.getPrototypeOf')} */
module.exports = $Object.getPrototypeOf || null;


/***/ }),

/***/ 8681:
/***/ ((module) => {

"use strict";


/** @type {import('./Reflect.getPrototypeOf')} */
module.exports = (typeof Reflect !== 'undefined' && Reflect.getPrototypeOf) || null;


/***/ }),

/***/ 1967:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var reflectGetProto = __nccwpck_require__(8681);
var originalGetProto = __nccwpck_require__(1311);

var getDunderProto = __nccwpck_require__(6669);

/** @type {import('.')} */
module.exports = reflectGetProto
	? function getProto(O) {
		// @ts-expect-error TS can't narrow inside a closure, for some reason
		return reflectGetProto(O);
	}
	: originalGetProto
		? function getProto(O) {
			if (!O || (typeof O !== 'object' && typeof O !== 'function')) {
				throw new TypeError('getProto: not an object');
			}
			// @ts-expect-error TS can't narrow inside a closure, for some reason
			return originalGetProto(O);
		}
		: getDunderProto
			? function getProto(O) {
				// @ts-expect-error TS can't narrow inside a closure, for some reason
				return getDunderProto(O);
			}
			: null;


/***/ }),

/***/ 1174:
/***/ ((module) => {

"use strict";


/** @type {import('./gOPD')} */
module.exports = Object.getOwnPropertyDescriptor;


/***/ }),

/***/ 3170:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


/** @type {import('.')} */
var $gOPD = __nccwpck_require__(1174);

if ($gOPD) {
	try {
		$gOPD([], 'length');
	} catch (e) {
		// IE 8 has a broken gOPD
		$gOPD = null;
	}
}

module.exports = $gOPD;


/***/ }),

/***/ 3336:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var origSymbol = typeof Symbol !== 'undefined' && Symbol;
var hasSymbolSham = __nccwpck_require__(1114);

/** @type {import('.')} */
module.exports = function hasNativeSymbols() {
	if (typeof origSymbol !== 'function') { return false; }
	if (typeof Symbol !== 'function') { return false; }
	if (typeof origSymbol('foo') !== 'symbol') { return false; }
	if (typeof Symbol('bar') !== 'symbol') { return false; }

	return hasSymbolSham();
};


/***/ }),

/***/ 1114:
/***/ ((module) => {

"use strict";


/** @type {import('./shams')} */
/* eslint complexity: [2, 18], max-statements: [2, 33] */
module.exports = function hasSymbols() {
	if (typeof Symbol !== 'function' || typeof Object.getOwnPropertySymbols !== 'function') { return false; }
	if (typeof Symbol.iterator === 'symbol') { return true; }

	/** @type {{ [k in symbol]?: unknown }} */
	var obj = {};
	var sym = Symbol('test');
	var symObj = Object(sym);
	if (typeof sym === 'string') { return false; }

	if (Object.prototype.toString.call(sym) !== '[object Symbol]') { return false; }
	if (Object.prototype.toString.call(symObj) !== '[object Symbol]') { return false; }

	// temp disabled per https://github.com/ljharb/object.assign/issues/17
	// if (sym instanceof Symbol) { return false; }
	// temp disabled per https://github.com/WebReflection/get-own-property-symbols/issues/4
	// if (!(symObj instanceof Symbol)) { return false; }

	// if (typeof Symbol.prototype.toString !== 'function') { return false; }
	// if (String(sym) !== Symbol.prototype.toString.call(sym)) { return false; }

	var symVal = 42;
	obj[sym] = symVal;
	for (var _ in obj) { return false; } // eslint-disable-line no-restricted-syntax, no-unreachable-loop
	if (typeof Object.keys === 'function' && Object.keys(obj).length !== 0) { return false; }

	if (typeof Object.getOwnPropertyNames === 'function' && Object.getOwnPropertyNames(obj).length !== 0) { return false; }

	var syms = Object.getOwnPropertySymbols(obj);
	if (syms.length !== 1 || syms[0] !== sym) { return false; }

	if (!Object.prototype.propertyIsEnumerable.call(obj, sym)) { return false; }

	if (typeof Object.getOwnPropertyDescriptor === 'function') {
		// eslint-disable-next-line no-extra-parens
		var descriptor = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(obj, sym));
		if (descriptor.value !== symVal || descriptor.enumerable !== true) { return false; }
	}

	return true;
};


/***/ }),

/***/ 5479:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var hasSymbols = __nccwpck_require__(1114);

/** @type {import('.')} */
module.exports = function hasToStringTagShams() {
	return hasSymbols() && !!Symbol.toStringTag;
};


/***/ }),

/***/ 4076:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var call = Function.prototype.call;
var $hasOwn = Object.prototype.hasOwnProperty;
var bind = __nccwpck_require__(7564);

/** @type {import('.')} */
module.exports = bind.call(call, $hasOwn);


/***/ }),

/***/ 5641:
/***/ ((module) => {

"use strict";


/** @type {import('./abs')} */
module.exports = Math.abs;


/***/ }),

/***/ 6171:
/***/ ((module) => {

"use strict";


/** @type {import('./floor')} */
module.exports = Math.floor;


/***/ }),

/***/ 7044:
/***/ ((module) => {

"use strict";


/** @type {import('./isNaN')} */
module.exports = Number.isNaN || function isNaN(a) {
	return a !== a;
};


/***/ }),

/***/ 7147:
/***/ ((module) => {

"use strict";


/** @type {import('./max')} */
module.exports = Math.max;


/***/ }),

/***/ 1017:
/***/ ((module) => {

"use strict";


/** @type {import('./min')} */
module.exports = Math.min;


/***/ }),

/***/ 6947:
/***/ ((module) => {

"use strict";


/** @type {import('./pow')} */
module.exports = Math.pow;


/***/ }),

/***/ 2621:
/***/ ((module) => {

"use strict";


/** @type {import('./round')} */
module.exports = Math.round;


/***/ }),

/***/ 156:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

"use strict";


var $isNaN = __nccwpck_require__(7044);

/** @type {import('./sign')} */
module.exports = function sign(number) {
	if ($isNaN(number) || number === 0) {
		return number;
	}
	return number < 0 ? -1 : +1;
};


/***/ }),

/***/ 2613:
/***/ ((module) => {

"use strict";
module.exports = require("assert");

/***/ }),

/***/ 6982:
/***/ ((module) => {

"use strict";
module.exports = require("crypto");

/***/ }),

/***/ 4434:
/***/ ((module) => {

"use strict";
module.exports = require("events");

/***/ }),

/***/ 9896:
/***/ ((module) => {

"use strict";
module.exports = require("fs");

/***/ }),

/***/ 8611:
/***/ ((module) => {

"use strict";
module.exports = require("http");

/***/ }),

/***/ 5692:
/***/ ((module) => {

"use strict";
module.exports = require("https");

/***/ }),

/***/ 9278:
/***/ ((module) => {

"use strict";
module.exports = require("net");

/***/ }),

/***/ 6928:
/***/ ((module) => {

"use strict";
module.exports = require("path");

/***/ }),

/***/ 2203:
/***/ ((module) => {

"use strict";
module.exports = require("stream");

/***/ }),

/***/ 4756:
/***/ ((module) => {

"use strict";
module.exports = require("tls");

/***/ }),

/***/ 7016:
/***/ ((module) => {

"use strict";
module.exports = require("url");

/***/ }),

/***/ 9023:
/***/ ((module) => {

"use strict";
module.exports = require("util");

/***/ }),

/***/ 9116:
/***/ ((__unused_webpack_module, exports) => {

// form-data imports mime-types to guess a part's content type from its name. This action sets the content
// type of every part, so the table of all types would only add 0.2 MB and 8 ms at every start. "overrides"
// in package.json replaces mime-types with this file.
exports.lookup = () => {
  throw new Error('mime-types is not part of this action: give each part its content type');
};


/***/ })

/******/ 	});
/************************************************************************/
/******/ 	// The module cache
/******/ 	var __webpack_module_cache__ = {};
/******/ 	
/******/ 	// The require function
/******/ 	function __nccwpck_require__(moduleId) {
/******/ 		// Check if module is in cache
/******/ 		var cachedModule = __webpack_module_cache__[moduleId];
/******/ 		if (cachedModule !== undefined) {
/******/ 			return cachedModule.exports;
/******/ 		}
/******/ 		// Create a new module (and put it into the cache)
/******/ 		var module = __webpack_module_cache__[moduleId] = {
/******/ 			// no module.id needed
/******/ 			// no module.loaded needed
/******/ 			exports: {}
/******/ 		};
/******/ 	
/******/ 		// Execute the module function
/******/ 		var threw = true;
/******/ 		try {
/******/ 			__webpack_modules__[moduleId](module, module.exports, __nccwpck_require__);
/******/ 			threw = false;
/******/ 		} finally {
/******/ 			if(threw) delete __webpack_module_cache__[moduleId];
/******/ 		}
/******/ 	
/******/ 		// Return the exports of the module
/******/ 		return module.exports;
/******/ 	}
/******/ 	
/************************************************************************/
/******/ 	/* webpack/runtime/asset-relocator-loader */
/******/ 	if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = __dirname + "/";
/******/ 	
/******/ 	/* webpack/runtime/compat get default export */
/******/ 	(() => {
/******/ 		// getDefaultExport function for compatibility with non-harmony modules
/******/ 		__nccwpck_require__.n = (module) => {
/******/ 			var getter = module && module.__esModule ?
/******/ 				() => (module['default']) :
/******/ 				() => (module);
/******/ 			__nccwpck_require__.d(getter, { a: getter });
/******/ 			return getter;
/******/ 		};
/******/ 	})();
/******/ 	
/******/ 	/* webpack/runtime/create fake namespace object */
/******/ 	(() => {
/******/ 		var getProto = Object.getPrototypeOf ? (obj) => (Object.getPrototypeOf(obj)) : (obj) => (obj.__proto__);
/******/ 		var leafPrototypes;
/******/ 		// create a fake namespace object
/******/ 		// mode & 1: value is a module id, require it
/******/ 		// mode & 2: merge all properties of value into the ns
/******/ 		// mode & 4: return value when already ns object
/******/ 		// mode & 16: return value when it's Promise-like
/******/ 		// mode & 8|1: behave like require
/******/ 		__nccwpck_require__.t = function(value, mode) {
/******/ 			if(mode & 1) value = this(value);
/******/ 			if(mode & 8) return value;
/******/ 			if(typeof value === 'object' && value) {
/******/ 				if((mode & 4) && value.__esModule) return value;
/******/ 				if((mode & 16) && typeof value.then === 'function') return value;
/******/ 			}
/******/ 			var ns = Object.create(null);
/******/ 			__nccwpck_require__.r(ns);
/******/ 			var def = {};
/******/ 			leafPrototypes = leafPrototypes || [null, getProto({}), getProto([]), getProto(getProto)];
/******/ 			for(var current = mode & 2 && value; typeof current == 'object' && !~leafPrototypes.indexOf(current); current = getProto(current)) {
/******/ 				Object.getOwnPropertyNames(current).forEach((key) => (def[key] = () => (value[key])));
/******/ 			}
/******/ 			def['default'] = () => (value);
/******/ 			__nccwpck_require__.d(ns, def);
/******/ 			return ns;
/******/ 		};
/******/ 	})();
/******/ 	
/******/ 	/* webpack/runtime/define property getters */
/******/ 	(() => {
/******/ 		// define getter functions for harmony exports
/******/ 		__nccwpck_require__.d = (exports, definition) => {
/******/ 			for(var key in definition) {
/******/ 				if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 					Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 				}
/******/ 			}
/******/ 		};
/******/ 	})();
/******/ 	
/******/ 	/* webpack/runtime/hasOwnProperty shorthand */
/******/ 	(() => {
/******/ 		__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ 	})();
/******/ 	
/******/ 	/* webpack/runtime/make namespace object */
/******/ 	(() => {
/******/ 		// define __esModule on exports
/******/ 		__nccwpck_require__.r = (exports) => {
/******/ 			if(typeof Symbol !== 'undefined' && Symbol.toStringTag) {
/******/ 				Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' });
/******/ 			}
/******/ 			Object.defineProperty(exports, '__esModule', { value: true });
/******/ 		};
/******/ 	})();
/******/ 	
/************************************************************************/
var __webpack_exports__ = {};
// This entry need to be wrapped in an IIFE because it need to be in strict mode.
(() => {
"use strict";

;// CONCATENATED MODULE: external "node:os"
const external_node_os_namespaceObject = require("node:os");
;// CONCATENATED MODULE: external "node:timers/promises"
const promises_namespaceObject = require("node:timers/promises");
;// CONCATENATED MODULE: ./lib/errors.js
const CANCELLED_FIX = 'Run the step again to upload the scan.';
const REPORT_FIX = 'Report this message to the maintainers of the action.';
/** Ends a step, or a scan before its first attempt. */
class StepError extends Error {
    situation;
    /** Complete sentences, the most important first. */
    faults;
    /** What to do, unless the faults say it. */
    fixes;
    constructor(situation, faults, fixes) {
        super([faults].flat().join(' '));
        this.situation = situation;
        this.faults = [faults].flat();
        this.fixes = [fixes].flat();
    }
}
/** Invalid inputs; `faults` has one entry for each of them, `fixes` what to do about those that are empty. */
class InputError extends StepError {
    constructor(faults, fixes = []) {
        super('inputs', faults, fixes);
    }
}
/** The time limit of the step ended it. */
class TimeLimitError extends StepError {
    constructor(seconds) {
        const text = `The time limit of ${seconds} s (\`timeout-seconds\`) ended the step.`;
        super('time-limit', text, 'Increase `timeout-seconds`.');
    }
}
/** The runner, or a person at a terminal, asked the step to stop. */
class CancelledError extends StepError {
    signal;
    constructor(signal) {
        super('cancelled', `The step was cancelled or the job timed out (${signal}).`, CANCELLED_FIX);
        this.signal = signal;
    }
}
/** The system's code of an error (`ENOENT`, `ECONNRESET`), if it has one. */
function errorCode(error) {
    if (!(error instanceof Error) || !('code' in error))
        return undefined;
    return typeof error.code === 'string' ? error.code : undefined;
}
/** The message of anything that was thrown. */
function errorMessage(thrown) {
    return toError(thrown).message;
}
/** The system's code of an error, or else its message: why something could not be done. */
function errorReason(error) {
    return errorCode(error) ?? errorMessage(error);
}
/** Anything that was thrown, as an Error. */
function toError(thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
}
/** Anything that was thrown, as a StepError; an unexpected error has the first lines of its stack, for bug reports. */
function toStepError(thrown) {
    if (thrown instanceof StepError)
        return thrown;
    const { message, stack = '' } = toError(thrown);
    const lines = stack.split('\n').map((line) => line.trim());
    const calls = lines.filter((line) => line.startsWith('at ')).slice(0, 4);
    return new StepError('unexpected', [message, ...calls], REPORT_FIX);
}

;// CONCATENATED MODULE: ./lib/lifecycle.js



/** The signals that cancel a step. The runner sends SIGINT first, on Windows SIGBREAK, which only Windows has. */
const CANCEL_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGBREAK'];
/** How long the step may take to report once its signal has fired. */
const GRACE_MS = 1500;
/** How long the output may take to be written, and a system call to return, when the process ends. */
const OUTPUT_MS = 5000;
const THREADS_MS = 1000;
/** How Node's names of requests in its threads begin; a file system or a resolver that hangs blocks a thread. */
const THREAD_REQUESTS = ['FSReq', 'CloseReq', 'GetAddrInfo'];
/** Settles as `promise`, which may never settle, or rejects with the reason of `signal` once that fires. */
async function settleWithin(promise, signal) {
    return new Promise((resolve, reject) => {
        const abort = () => reject(toError(signal.reason));
        if (signal.aborted)
            abort();
        signal.addEventListener('abort', abort, { once: true });
        promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
}
/**
 * The process around a step. Everything that may end the step early fires one signal; the process exits
 * once the step has reported. Only if the step does not report in time, this class writes one line.
 */
class Lifecycle {
    #controller = new AbortController();
    #writeError;
    #ended = false;
    /** `writeError` writes the one line of a step that does not report in time. */
    constructor(writeError) {
        this.#writeError = writeError;
    }
    /** Listens to the process: signals and uncaught errors. */
    watch() {
        for (const name of CANCEL_SIGNALS)
            process.on(name, () => this.#abort(new CancelledError(name)));
        process.on('uncaughtException', (error) => this.#abort(error));
        process.on('unhandledRejection', (reason) => this.#abort(toError(reason)));
        // A closed pipe raises an error for every write; reporting it would raise the next one.
        process.stdout.on('error', () => { });
        process.stderr.on('error', () => { });
    }
    /** Starts the time limit of the whole step, which keeps the process alive, and returns when it ends. */
    limit(milliseconds) {
        setTimeout(() => this.#abort(new TimeLimitError(milliseconds / 1000)), milliseconds);
        return { signal: this.#controller.signal, deadline: performance.now() + milliseconds };
    }
    /** Ends the process with an exit code once its output has been written. */
    async end(exitCode) {
        this.#ended = true;
        await flush();
        // process.exit() waits for Node's threads, also for one that a system call blocks. A thread counts until its
        // callback has returned, which may call this.
        await (0,promises_namespaceObject.setImmediate)();
        if (hasBusyThreads())
            await (0,promises_namespaceObject.setTimeout)(THREADS_MS);
        // Killing the process also fails the step.
        if (exitCode !== 0 && hasBusyThreads())
            process.kill(process.pid, 'SIGKILL');
        process.exit(exitCode);
    }
    #abort(reason) {
        if (this.#ended || this.#controller.signal.aborted)
            return;
        this.#controller.abort(reason);
        setTimeout(() => this.#forceEnd(reason), GRACE_MS);
    }
    /** Writes one line about a step that did not report in time, and ends the process. */
    #forceEnd(reason) {
        if (this.#ended)
            return;
        // Only our own messages are written: that of an uncaught error may contain secrets.
        const text = isExpectedEnd(reason)
            ? reason.message
            : 'The step did not end in time after an unexpected error.';
        this.#writeError(text);
        void this.end(getExitCode(reason));
    }
}
/** Whether a step ended because it was cancelled, or at its time limit. */
function isExpectedEnd(reason) {
    return reason instanceof CancelledError || reason instanceof TimeLimitError;
}
/** The exit code of a step that failed for `reason`: the shell's for a signal, else 1. */
function getExitCode(reason) {
    return reason instanceof CancelledError ? 128 + external_node_os_namespaceObject.constants.signals[reason.signal] : 1;
}
function hasBusyThreads() {
    const active = process.getActiveResourcesInfo();
    return active.some((name) => THREAD_REQUESTS.some((start) => name.startsWith(start)));
}
/** Resolves when the output of both streams has been written, or after a limit: a reader may have stopped reading. */
async function flush() {
    const written = [process.stdout, process.stderr].map((stream) => new Promise((resolve) => void stream.write('', () => resolve())));
    await Promise.race([Promise.all(written), (0,promises_namespaceObject.setTimeout)(OUTPUT_MS, undefined, { ref: false })]);
}

;// CONCATENATED MODULE: external "node:fs"
const external_node_fs_namespaceObject = require("node:fs");
;// CONCATENATED MODULE: external "node:fs/promises"
const external_node_fs_promises_namespaceObject = require("node:fs/promises");
;// CONCATENATED MODULE: ./lib/files/regular-file.js



/** What to do about a file that the system does not let the action open or read. */
const READ_FIX = "Give the runner's user permission to read it (`EPERM`, `EACCES`), or upload it after the program that locks it has ended (`EBUSY`).";
/** Returns device and inode as a text, which is the same for all paths of one file or directory. */
function identify({ dev, ino }) {
    return `${dev}:${ino}`;
}
/** Returns this text for what a path leads to. */
async function identifyPath(path) {
    return identify(await (0,external_node_fs_promises_namespaceObject.stat)(path, { bigint: true }));
}
/**
 * Opens a regular file for reading, and returns what it was then. Closes it again if `check` throws. Rejects with the
 * errors of the system and of `check`, and with an Error for anything but a regular file.
 */
async function openRegularFile(path, check = async () => { }) {
    // Without O_NONBLOCK, opening a FIFO waits for its writer. Windows has neither, and O_NONBLOCK is undefined there.
    const handle = await (0,external_node_fs_promises_namespaceObject.open)(path, external_node_fs_namespaceObject.constants.O_RDONLY | external_node_fs_namespaceObject.constants.O_NONBLOCK);
    try {
        const stats = await handle.stat({ bigint: true });
        if (!stats.isFile())
            throw new Error('not a regular file');
        await check(stats);
        return { handle, stats };
    }
    catch (error) {
        await handle.close();
        throw error;
    }
}
/** Reads a regular file. Rejects as `openRegularFile` does, and with an Error for more than `maxBytes`. */
async function readSmallFile(path, maxBytes) {
    const { handle } = await openRegularFile(path);
    try {
        // The size of the file does not say how much can be read: files of /proc have none, and a file may grow.
        const bytes = await readBytes(handle, 0, maxBytes + 1);
        if (bytes.length > maxBytes)
            throw new Error('too large');
        return bytes;
    }
    finally {
        await handle.close();
    }
}
/**
 * Reads `length` bytes of a file from `start` on, or fewer if it ends before. Rejects with the signal's reason if that
 * fires meanwhile.
 */
async function readBytes(handle, start, length, signal) {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
        signal?.throwIfAborted();
        const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled);
        if (bytesRead === 0)
            break;
        filled += bytesRead;
    }
    return bytes.subarray(0, filled);
}
/** Returns the real path of an open file. Throws an Error if its path leads to another file by now. */
async function findRealPath(path, stats) {
    const real = await (0,external_node_fs_promises_namespaceObject.realpath)(path);
    if ((await identifyPath(real)) === identify(stats))
        return real;
    throw new Error('replaced while it was being opened');
}
/** Turns a system error while reading a file into a StepError; returns any other error unchanged. */
function explainReadError(error, displayPath) {
    const code = errorCode(error);
    if (code === undefined)
        return error;
    return new StepError('files', `'${displayPath}' cannot be read (${code}).`, READ_FIX);
}

;// CONCATENATED MODULE: ./lib/json.js
/** Whether a value is an object or an array. */
function isObject(value) {
    return typeof value === 'object' && value !== null;
}
/** Whether a value is an object with members, and no list. */
function isRecord(value) {
    return isObject(value) && !Array.isArray(value);
}
/** The value of a JSON text; undefined if it is not JSON. */
function tryJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/** Deeper than in any document of a service. */
const MAX_DEPTH = 32;
/** Longer than any name that is known. */
const MAX_NAME_CHARACTERS = 100;
/**
 * A value of JSON with its texts, numbers and names as `change` returns them, and null for what is nested deeper than
 * 32 levels. `name` is that of the member that a text is in. It is cut, because a list may have any number of texts.
 */
function mapJson(value, change, name = '', depth = 1) {
    if (typeof value === 'string' || typeof value === 'number')
        return change(value, name);
    if (!isObject(value))
        return value;
    if (depth > MAX_DEPTH)
        return null;
    if (Array.isArray(value)) {
        return value.map((entry) => mapJson(entry, change, name, depth + 1));
    }
    // Defines members instead of assigning them, so that `__proto__` is a normal name.
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [
        change(key, ''),
        mapJson(member, change, key.slice(0, MAX_NAME_CHARACTERS), depth + 1),
    ]));
}
/** The members of an object with their names in the form of `foldName`. */
function listMembers(value) {
    return Object.entries(value).map(([name, member]) => [foldName(name), member]);
}
/** A name or a word in lower case, without white space, `-` and `_`: services spell them in many ways. */
function foldName(name) {
    return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

;// CONCATENATED MODULE: ./lib/text.js
/** A text as one line: any run of white space becomes one space. */
function joinWhiteSpace(text) {
    return text.replace(/[\s\u0085]+/g, ' ').trim();
}
/** The lines of a text; they may end with LF, CR LF or CR. */
function splitLines(text) {
    return text.split(/\r\n|\r|\n/);
}
/** The lines of a text that are not blank, without white space around them. */
function listLines(text) {
    return splitLines(text)
        .map((line) => line.trim())
        .filter((line) => line !== '');
}
const ESC = String.fromCodePoint(0x1b);
const BEL = String.fromCodePoint(0x07);
/** ANSI escape sequences: CSI, OSC with its end, and charsets. Of any other, only the escape is removed, as invisible. */
const ANSI = new RegExp(`${ESC}(?:\\[[\\d:;?]*[a-z]?|\\][^\\r\\n${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|[()]\\w)`, 'gi');
/** Everything that starts a new line for the runner or for a reader. */
const LINE_BREAK = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;
/**
 * C0 and C1 controls, bidi, zero-width and other format characters, lone surrogates, and characters that
 * are ignored by default: the runner compares texts by culture, and reads `:`, such a character, `:` as `::`.
 */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** Removes escape sequences and invisible characters, which could deceive a terminal or a reader; lines end in \n. */
function stripInvisible(text) {
    return text.replace(ANSI, '').replace(LINE_BREAK, '\n').replace(INVISIBLE, '');
}
/** The lines of a text as one, with a space between them. */
function joinLines(text) {
    return listLines(stripInvisible(text)).join(' ');
}
/** Joins texts, without those that are empty. */
function joinTexts(texts, separator) {
    return texts.filter((text) => text !== '').join(separator);
}
/** Cuts a text that is too long to be shown, and marks the cut with `…`. */
function cutText(text, maxCharacters) {
    if (text.length <= maxCharacters)
        return text;
    // A cut inside a surrogate pair would leave half a character.
    return `${text.slice(0, maxCharacters - 2).replace(/[\uD800-\uDBFF]$/, '')} …`;
}
/**
 * Cuts a text of the author, which may contain a secret in the wrong input that nobody else knows: never in a word,
 * since the runner masks only whole secrets.
 */
function cutWhole(text, maxCharacters) {
    const cut = cutText(text, maxCharacters);
    return cut === text ? text : `${cut.slice(0, -2).replace(/\S+$/, '')}…`;
}
/** A line is left out rather than cut to fewer characters than this. */
const MIN_LINE_CHARACTERS = 20;
/** The first lines that have at most `maxCharacters` together, line breaks included; the last one may be cut. */
function cutLines(lines, maxCharacters, cut = cutText) {
    let room = maxCharacters;
    return lines.flatMap((line) => {
        if (room < MIN_LINE_CHARACTERS && line.length > room)
            return [];
        const shown = cut(line, room);
        room -= shown.length + 1;
        return [shown];
    });
}
/** The first lines as `cutLines` returns them, and how many more there are. */
function limitLines(lines, maxCharacters, cut) {
    const shown = cutLines(lines, maxCharacters, cut);
    const more = lines.length - shown.length;
    return more > 0 ? [...shown, `And ${more} more.`] : shown;
}
/** The first `most` texts, and how many more there are: `a, b and 3 more`. */
function listSome(texts, most) {
    const more = texts.length - most;
    return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
/** RFC 9110, section 5.5: visible characters, spaces and tabs, but no line breaks. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;
/** Whether a text can be sent as a header field's value. */
function isFieldValue(text) {
    return FIELD_VALUE.test(text);
}
/** Where the text after `before` begins, for people: `line 3, column 1`. The column counts UTF-16 code units. */
function formatPlace(before) {
    return `line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}`;
}
const SIZE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
/** A size for people: `512 bytes`, `1.5 MiB`. */
function formatBytes(bytes) {
    let size = bytes;
    let unit = 0;
    while (size >= 1024 && unit < SIZE_UNITS.length - 1) {
        size /= 1024;
        unit += 1;
    }
    return `${unit === 0 ? size : size.toFixed(1)} ${SIZE_UNITS[unit]}`;
}
/** A part of a size for people, in the unit of the whole: `9 of 30.5 MiB`. */
function formatShare(bytes, all) {
    const [size = '', unit = ''] = formatBytes(all).split(' ');
    const part = (bytes / all) * Number(size);
    return `${Number(part.toFixed(1))} of ${Number(size)} ${unit}`;
}
/** A duration for people: `40 ms`, `7.5 s`, `75 s`, `over a day`. */
function formatDuration(milliseconds) {
    if (milliseconds < 1000)
        return `${Math.round(milliseconds)} ms`;
    const seconds = milliseconds / 1000;
    if (seconds > 86_400)
        return 'over a day';
    return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}
/** A time to wait, for people: `1 minute`, `30 minutes`, `over a day`. */
function formatMinutes(milliseconds) {
    const minutes = Math.ceil(milliseconds / 60_000);
    if (minutes > 24 * 60)
        return 'over a day';
    return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
/** A number with separators: `1,204`. */
function formatCount(count) {
    return count.toLocaleString('en-US');
}
/** A number of things: `1 attempt`, `1,204 attempts`. */
function countOf(count, noun, plural = `${noun}s`) {
    return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

;// CONCATENATED MODULE: ./lib/formats/values.js


/** How much of a text is read: no format needs more. */
const MAX_TEXT_CHARACTERS = 512;
/** The values at a path, in their order. Lists before its last name are entered. */
function values_select(value, path) {
    let values = [value];
    for (const name of splitPath(path)) {
        values = enterLists(values).flatMap((each) => getMembers(each, name));
    }
    return values;
}
/** The values at a path, and in place of lists their items; without those that are null. */
function selectItems(value, path) {
    return enterLists(values_select(value, path)).filter((each) => each !== null);
}
/**
 * The items of the lists at these paths; undefined if there is no list, which is not the same as an empty one. The first
 * list on a path is enough, since tools leave out what is empty inside of it.
 */
function selectListed(value, ...paths) {
    const found = paths.filter((path) => hasList(value, splitPath(path)));
    return found.length === 0 ? undefined : found.flatMap((path) => selectItems(value, path));
}
/** The texts and numbers at a path. */
function selectTexts(value, path) {
    return selectItems(value, path).flatMap((each) => readText(each) ?? []);
}
/** The first text at these paths that is not empty. */
function findText(value, ...paths) {
    return paths.flatMap((path) => selectTexts(value, path)).find((each) => each !== '');
}
/** The text that `findText` finds, in one line. */
function findLine(value, ...paths) {
    const text = findText(value, ...paths);
    return text === undefined ? undefined : joinWhiteSpace(text);
}
/** The text or number that a value has as a member of this name. */
function readMember(value, name) {
    const isThere = isObject(value) && Object.hasOwn(value, name);
    return isThere ? readText(Reflect.get(value, name)) : undefined;
}
/** Whether a value says nothing: an empty object or list, 0, false, an empty text or null. */
function isNothing(value) {
    return isObject(value) ? Object.keys(value).length === 0 : !value;
}
/** Whether a document has a sign. */
function hasSign(document, sign) {
    const [items = '', missing] = sign.split('!');
    if (missing !== undefined) {
        const lists = selectItems(document, items).map((item) => values_select(item, missing));
        return lists.length === 0 || lists.some((values) => !values.some(Array.isArray));
    }
    const [path = '', wanted] = sign.split('=');
    if (wanted === undefined)
        return values_select(document, path).length > 0;
    const isPart = path.endsWith('*');
    const values = selectItems(document, isPart ? path.slice(0, -1) : path);
    // Of an object, "toString" may be a member.
    const texts = values.filter((value) => !isObject(value)).map(String);
    return texts.some((text) => (isPart ? text.includes(wanted) : text === wanted));
}
function splitPath(path) {
    return path === '' ? [] : path.split('/');
}
function hasList(value, [name, ...rest]) {
    if (Array.isArray(value) || (isObject(value) && ['*', '#'].includes(name ?? '')))
        return true;
    return name !== undefined && getMembers(value, name).some((member) => hasList(member, rest));
}
/** The items of all lists among the values, and the other values. */
function enterLists(values) {
    return values.some(Array.isArray) ? values.flat() : values;
}
function getMembers(value, name) {
    if (!isObject(value) || Array.isArray(value))
        return [];
    if (name === '#')
        return Object.keys(value).filter((each) => !each.startsWith('_'));
    if (name === '*')
        return Object.keys(value).map((each) => Reflect.get(value, each));
    return Object.hasOwn(value, name) ? [Reflect.get(value, name)] : [];
}
/**
 * A text or a number of a document as a text. Each text of a document is read here, so that it is short before it is
 * matched, joined or cleaned.
 */
function readText(value) {
    if (typeof value === 'number')
        return Number.isFinite(value) ? String(value) : undefined;
    if (typeof value !== 'string')
        return undefined;
    const cut = cutText(value, MAX_TEXT_CHARACTERS);
    // V8 would keep all of a text as long as a slice of it.
    return cut === value ? value : Buffer.from(cut, 'utf16le').toString('utf16le');
}

;// CONCATENATED MODULE: external "node:path"
const external_node_path_namespaceObject = require("node:path");
;// CONCATENATED MODULE: external "os"
const external_os_namespaceObject = require("os");
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/utils.js
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */
/**
 * Sanitizes an input into a string so it can be passed into issueCommand safely
 * @param input input to sanitize into a string
 */
function utils_toCommandValue(input) {
    if (input === null || input === undefined) {
        return '';
    }
    else if (typeof input === 'string' || input instanceof String) {
        return input;
    }
    return JSON.stringify(input);
}
/**
 *
 * @param annotationProperties
 * @returns The command properties to send with the actual annotation command
 * See IssueCommandProperties: https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs#L646
 */
function toCommandProperties(annotationProperties) {
    if (!Object.keys(annotationProperties).length) {
        return {};
    }
    return {
        title: annotationProperties.title,
        file: annotationProperties.file,
        line: annotationProperties.startLine,
        endLine: annotationProperties.endLine,
        col: annotationProperties.startColumn,
        endColumn: annotationProperties.endColumn
    };
}
//# sourceMappingURL=utils.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/command.js


/**
 * Issues a command to the GitHub Actions runner
 *
 * @param command - The command name to issue
 * @param properties - Additional properties for the command (key-value pairs)
 * @param message - The message to include with the command
 * @remarks
 * This function outputs a specially formatted string to stdout that the Actions
 * runner interprets as a command. These commands can control workflow behavior,
 * set outputs, create annotations, mask values, and more.
 *
 * Command Format:
 *   ::name key=value,key=value::message
 *
 * @example
 * ```typescript
 * // Issue a warning annotation
 * issueCommand('warning', {}, 'This is a warning message');
 * // Output: ::warning::This is a warning message
 *
 * // Set an environment variable
 * issueCommand('set-env', { name: 'MY_VAR' }, 'some value');
 * // Output: ::set-env name=MY_VAR::some value
 *
 * // Add a secret mask
 * issueCommand('add-mask', {}, 'secretValue123');
 * // Output: ::add-mask::secretValue123
 * ```
 *
 * @internal
 * This is an internal utility function that powers the public API functions
 * such as setSecret, warning, error, and exportVariable.
 */
function command_issueCommand(command, properties, message) {
    const cmd = new Command(command, properties, message);
    process.stdout.write(cmd.toString() + external_os_namespaceObject.EOL);
}
function command_issue(name, message = '') {
    command_issueCommand(name, {}, message);
}
const CMD_STRING = '::';
class Command {
    constructor(command, properties, message) {
        if (!command) {
            command = 'missing.command';
        }
        this.command = command;
        this.properties = properties;
        this.message = message;
    }
    toString() {
        let cmdStr = CMD_STRING + this.command;
        if (this.properties && Object.keys(this.properties).length > 0) {
            cmdStr += ' ';
            let first = true;
            for (const key in this.properties) {
                if (this.properties.hasOwnProperty(key)) {
                    const val = this.properties[key];
                    if (val) {
                        if (first) {
                            first = false;
                        }
                        else {
                            cmdStr += ',';
                        }
                        cmdStr += `${key}=${escapeProperty(val)}`;
                    }
                }
            }
        }
        cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
        return cmdStr;
    }
}
function escapeData(s) {
    return utils_toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A');
}
function escapeProperty(s) {
    return utils_toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A')
        .replace(/:/g, '%3A')
        .replace(/,/g, '%2C');
}
//# sourceMappingURL=command.js.map
// EXTERNAL MODULE: external "crypto"
var external_crypto_ = __nccwpck_require__(6982);
// EXTERNAL MODULE: external "fs"
var external_fs_ = __nccwpck_require__(9896);
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/file-command.js
// For internal use, subject to change.
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */




function file_command_issueFileCommand(command, message) {
    const filePath = process.env[`GITHUB_${command}`];
    if (!filePath) {
        throw new Error(`Unable to find environment variable for file command ${command}`);
    }
    if (!external_fs_.existsSync(filePath)) {
        throw new Error(`Missing file at path: ${filePath}`);
    }
    external_fs_.appendFileSync(filePath, `${utils_toCommandValue(message)}${external_os_namespaceObject.EOL}`, {
        encoding: 'utf8'
    });
}
function file_command_prepareKeyValueMessage(key, value) {
    const delimiter = `ghadelimiter_${external_crypto_.randomUUID()}`;
    const convertedValue = utils_toCommandValue(value);
    // These should realistically never happen, but just in case someone finds a
    // way to exploit uuid generation let's not allow keys or values that contain
    // the delimiter.
    if (key.includes(delimiter)) {
        throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
    }
    if (convertedValue.includes(delimiter)) {
        throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
    }
    return `${key}<<${delimiter}${external_os_namespaceObject.EOL}${convertedValue}${external_os_namespaceObject.EOL}${delimiter}`;
}
//# sourceMappingURL=file-command.js.map
// EXTERNAL MODULE: external "path"
var external_path_ = __nccwpck_require__(6928);
// EXTERNAL MODULE: external "http"
var external_http_ = __nccwpck_require__(8611);
var external_http_namespaceObject = /*#__PURE__*/__nccwpck_require__.t(external_http_, 2);
// EXTERNAL MODULE: external "https"
var external_https_ = __nccwpck_require__(5692);
var external_https_namespaceObject = /*#__PURE__*/__nccwpck_require__.t(external_https_, 2);
;// CONCATENATED MODULE: ./node_modules/@actions/http-client/lib/proxy.js
function getProxyUrl(reqUrl) {
    const usingSsl = reqUrl.protocol === 'https:';
    if (checkBypass(reqUrl)) {
        return undefined;
    }
    const proxyVar = (() => {
        if (usingSsl) {
            return process.env['https_proxy'] || process.env['HTTPS_PROXY'];
        }
        else {
            return process.env['http_proxy'] || process.env['HTTP_PROXY'];
        }
    })();
    if (proxyVar) {
        try {
            return new DecodedURL(proxyVar);
        }
        catch (_a) {
            if (!proxyVar.startsWith('http://') && !proxyVar.startsWith('https://'))
                return new DecodedURL(`http://${proxyVar}`);
        }
    }
    else {
        return undefined;
    }
}
function checkBypass(reqUrl) {
    if (!reqUrl.hostname) {
        return false;
    }
    const reqHost = reqUrl.hostname;
    if (isLoopbackAddress(reqHost)) {
        return true;
    }
    const noProxy = process.env['no_proxy'] || process.env['NO_PROXY'] || '';
    if (!noProxy) {
        return false;
    }
    // Determine the request port
    let reqPort;
    if (reqUrl.port) {
        reqPort = Number(reqUrl.port);
    }
    else if (reqUrl.protocol === 'http:') {
        reqPort = 80;
    }
    else if (reqUrl.protocol === 'https:') {
        reqPort = 443;
    }
    // Format the request hostname and hostname with port
    const upperReqHosts = [reqUrl.hostname.toUpperCase()];
    if (typeof reqPort === 'number') {
        upperReqHosts.push(`${upperReqHosts[0]}:${reqPort}`);
    }
    // Compare request host against noproxy
    for (const upperNoProxyItem of noProxy
        .split(',')
        .map(x => x.trim().toUpperCase())
        .filter(x => x)) {
        if (upperNoProxyItem === '*' ||
            upperReqHosts.some(x => x === upperNoProxyItem ||
                x.endsWith(`.${upperNoProxyItem}`) ||
                (upperNoProxyItem.startsWith('.') &&
                    x.endsWith(`${upperNoProxyItem}`)))) {
            return true;
        }
    }
    return false;
}
function isLoopbackAddress(host) {
    const hostLower = host.toLowerCase();
    return (hostLower === 'localhost' ||
        hostLower.startsWith('127.') ||
        hostLower.startsWith('[::1]') ||
        hostLower.startsWith('[0:0:0:0:0:0:0:1]'));
}
class DecodedURL extends URL {
    constructor(url, base) {
        super(url, base);
        this._decodedUsername = decodeURIComponent(super.username);
        this._decodedPassword = decodeURIComponent(super.password);
    }
    get username() {
        return this._decodedUsername;
    }
    get password() {
        return this._decodedPassword;
    }
}
//# sourceMappingURL=proxy.js.map
// EXTERNAL MODULE: ./node_modules/@actions/http-client/node_modules/tunnel/index.js
var tunnel = __nccwpck_require__(3914);
;// CONCATENATED MODULE: ./stand-ins/undici/index.js
// @actions/http-client imports undici for getAgentDispatcher(), which serves fetch(). This action
// only uses requestRaw(), so undici would only add 0.9 MB and 12-20 ms at every start.
// "overrides" in package.json replaces undici with this file.
class ProxyAgent {
  constructor() {
    throw new Error(
      'undici is not part of this action: use requestRaw(), not getAgentDispatcher()',
    );
  }
}

;// CONCATENATED MODULE: ./node_modules/@actions/http-client/lib/index.js
/* eslint-disable @typescript-eslint/no-explicit-any */
var __awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};





var HttpCodes;
(function (HttpCodes) {
    HttpCodes[HttpCodes["OK"] = 200] = "OK";
    HttpCodes[HttpCodes["MultipleChoices"] = 300] = "MultipleChoices";
    HttpCodes[HttpCodes["MovedPermanently"] = 301] = "MovedPermanently";
    HttpCodes[HttpCodes["ResourceMoved"] = 302] = "ResourceMoved";
    HttpCodes[HttpCodes["SeeOther"] = 303] = "SeeOther";
    HttpCodes[HttpCodes["NotModified"] = 304] = "NotModified";
    HttpCodes[HttpCodes["UseProxy"] = 305] = "UseProxy";
    HttpCodes[HttpCodes["SwitchProxy"] = 306] = "SwitchProxy";
    HttpCodes[HttpCodes["TemporaryRedirect"] = 307] = "TemporaryRedirect";
    HttpCodes[HttpCodes["PermanentRedirect"] = 308] = "PermanentRedirect";
    HttpCodes[HttpCodes["BadRequest"] = 400] = "BadRequest";
    HttpCodes[HttpCodes["Unauthorized"] = 401] = "Unauthorized";
    HttpCodes[HttpCodes["PaymentRequired"] = 402] = "PaymentRequired";
    HttpCodes[HttpCodes["Forbidden"] = 403] = "Forbidden";
    HttpCodes[HttpCodes["NotFound"] = 404] = "NotFound";
    HttpCodes[HttpCodes["MethodNotAllowed"] = 405] = "MethodNotAllowed";
    HttpCodes[HttpCodes["NotAcceptable"] = 406] = "NotAcceptable";
    HttpCodes[HttpCodes["ProxyAuthenticationRequired"] = 407] = "ProxyAuthenticationRequired";
    HttpCodes[HttpCodes["RequestTimeout"] = 408] = "RequestTimeout";
    HttpCodes[HttpCodes["Conflict"] = 409] = "Conflict";
    HttpCodes[HttpCodes["Gone"] = 410] = "Gone";
    HttpCodes[HttpCodes["TooManyRequests"] = 429] = "TooManyRequests";
    HttpCodes[HttpCodes["InternalServerError"] = 500] = "InternalServerError";
    HttpCodes[HttpCodes["NotImplemented"] = 501] = "NotImplemented";
    HttpCodes[HttpCodes["BadGateway"] = 502] = "BadGateway";
    HttpCodes[HttpCodes["ServiceUnavailable"] = 503] = "ServiceUnavailable";
    HttpCodes[HttpCodes["GatewayTimeout"] = 504] = "GatewayTimeout";
})(HttpCodes || (HttpCodes = {}));
var Headers;
(function (Headers) {
    Headers["Accept"] = "accept";
    Headers["ContentType"] = "content-type";
})(Headers || (Headers = {}));
var MediaTypes;
(function (MediaTypes) {
    MediaTypes["ApplicationJson"] = "application/json";
})(MediaTypes || (MediaTypes = {}));
/**
 * Returns the proxy URL, depending upon the supplied url and proxy environment variables.
 * @param serverUrl  The server URL where the request will be sent. For example, https://api.github.com
 */
function lib_getProxyUrl(serverUrl) {
    const proxyUrl = pm.getProxyUrl(new URL(serverUrl));
    return proxyUrl ? proxyUrl.href : '';
}
const HttpRedirectCodes = [
    HttpCodes.MovedPermanently,
    HttpCodes.ResourceMoved,
    HttpCodes.SeeOther,
    HttpCodes.TemporaryRedirect,
    HttpCodes.PermanentRedirect
];
const HttpResponseRetryCodes = [
    HttpCodes.BadGateway,
    HttpCodes.ServiceUnavailable,
    HttpCodes.GatewayTimeout
];
const RetryableHttpVerbs = ['OPTIONS', 'GET', 'DELETE', 'HEAD'];
const ExponentialBackoffCeiling = 10;
const ExponentialBackoffTimeSlice = 5;
class HttpClientError extends Error {
    constructor(message, statusCode) {
        super(message);
        this.name = 'HttpClientError';
        this.statusCode = statusCode;
        Object.setPrototypeOf(this, HttpClientError.prototype);
    }
}
class HttpClientResponse {
    constructor(message) {
        this.message = message;
    }
    readBody() {
        return __awaiter(this, void 0, void 0, function* () {
            return new Promise((resolve) => __awaiter(this, void 0, void 0, function* () {
                let output = Buffer.alloc(0);
                this.message.on('data', (chunk) => {
                    output = Buffer.concat([output, chunk]);
                });
                this.message.on('end', () => {
                    resolve(output.toString());
                });
            }));
        });
    }
    readBodyBuffer() {
        return __awaiter(this, void 0, void 0, function* () {
            return new Promise((resolve) => __awaiter(this, void 0, void 0, function* () {
                const chunks = [];
                this.message.on('data', (chunk) => {
                    chunks.push(chunk);
                });
                this.message.on('end', () => {
                    resolve(Buffer.concat(chunks));
                });
            }));
        });
    }
}
function isHttps(requestUrl) {
    const parsedUrl = new URL(requestUrl);
    return parsedUrl.protocol === 'https:';
}
class lib_HttpClient {
    constructor(userAgent, handlers, requestOptions) {
        this._ignoreSslError = false;
        this._allowRedirects = true;
        this._allowRedirectDowngrade = false;
        this._maxRedirects = 50;
        this._allowRetries = false;
        this._maxRetries = 1;
        this._keepAlive = false;
        this._disposed = false;
        this.userAgent = this._getUserAgentWithOrchestrationId(userAgent);
        this.handlers = handlers || [];
        this.requestOptions = requestOptions;
        if (requestOptions) {
            if (requestOptions.ignoreSslError != null) {
                this._ignoreSslError = requestOptions.ignoreSslError;
            }
            this._socketTimeout = requestOptions.socketTimeout;
            if (requestOptions.allowRedirects != null) {
                this._allowRedirects = requestOptions.allowRedirects;
            }
            if (requestOptions.allowRedirectDowngrade != null) {
                this._allowRedirectDowngrade = requestOptions.allowRedirectDowngrade;
            }
            if (requestOptions.maxRedirects != null) {
                this._maxRedirects = Math.max(requestOptions.maxRedirects, 0);
            }
            if (requestOptions.keepAlive != null) {
                this._keepAlive = requestOptions.keepAlive;
            }
            if (requestOptions.allowRetries != null) {
                this._allowRetries = requestOptions.allowRetries;
            }
            if (requestOptions.maxRetries != null) {
                this._maxRetries = requestOptions.maxRetries;
            }
        }
    }
    options(requestUrl, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('OPTIONS', requestUrl, null, additionalHeaders || {});
        });
    }
    get(requestUrl, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('GET', requestUrl, null, additionalHeaders || {});
        });
    }
    del(requestUrl, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('DELETE', requestUrl, null, additionalHeaders || {});
        });
    }
    post(requestUrl, data, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('POST', requestUrl, data, additionalHeaders || {});
        });
    }
    patch(requestUrl, data, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('PATCH', requestUrl, data, additionalHeaders || {});
        });
    }
    put(requestUrl, data, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('PUT', requestUrl, data, additionalHeaders || {});
        });
    }
    head(requestUrl, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('HEAD', requestUrl, null, additionalHeaders || {});
        });
    }
    sendStream(verb, requestUrl, stream, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request(verb, requestUrl, stream, additionalHeaders);
        });
    }
    /**
     * Gets a typed object from an endpoint
     * Be aware that not found returns a null.  Other errors (4xx, 5xx) reject the promise
     */
    getJson(requestUrl_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, additionalHeaders = {}) {
            additionalHeaders[Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, Headers.Accept, MediaTypes.ApplicationJson);
            const res = yield this.get(requestUrl, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    postJson(requestUrl_1, obj_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
            const data = JSON.stringify(obj, null, 2);
            additionalHeaders[Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, Headers.Accept, MediaTypes.ApplicationJson);
            additionalHeaders[Headers.ContentType] =
                this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
            const res = yield this.post(requestUrl, data, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    putJson(requestUrl_1, obj_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
            const data = JSON.stringify(obj, null, 2);
            additionalHeaders[Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, Headers.Accept, MediaTypes.ApplicationJson);
            additionalHeaders[Headers.ContentType] =
                this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
            const res = yield this.put(requestUrl, data, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    patchJson(requestUrl_1, obj_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
            const data = JSON.stringify(obj, null, 2);
            additionalHeaders[Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, Headers.Accept, MediaTypes.ApplicationJson);
            additionalHeaders[Headers.ContentType] =
                this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
            const res = yield this.patch(requestUrl, data, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    /**
     * Makes a raw http request.
     * All other methods such as get, post, patch, and request ultimately call this.
     * Prefer get, del, post and patch
     */
    request(verb, requestUrl, data, headers) {
        return __awaiter(this, void 0, void 0, function* () {
            if (this._disposed) {
                throw new Error('Client has already been disposed.');
            }
            const parsedUrl = new URL(requestUrl);
            let info = this._prepareRequest(verb, parsedUrl, headers);
            // Only perform retries on reads since writes may not be idempotent.
            const maxTries = this._allowRetries && RetryableHttpVerbs.includes(verb)
                ? this._maxRetries + 1
                : 1;
            let numTries = 0;
            let response;
            do {
                response = yield this.requestRaw(info, data);
                // Check if it's an authentication challenge
                if (response &&
                    response.message &&
                    response.message.statusCode === HttpCodes.Unauthorized) {
                    let authenticationHandler;
                    for (const handler of this.handlers) {
                        if (handler.canHandleAuthentication(response)) {
                            authenticationHandler = handler;
                            break;
                        }
                    }
                    if (authenticationHandler) {
                        return authenticationHandler.handleAuthentication(this, info, data);
                    }
                    else {
                        // We have received an unauthorized response but have no handlers to handle it.
                        // Let the response return to the caller.
                        return response;
                    }
                }
                let redirectsRemaining = this._maxRedirects;
                while (response.message.statusCode &&
                    HttpRedirectCodes.includes(response.message.statusCode) &&
                    this._allowRedirects &&
                    redirectsRemaining > 0) {
                    const redirectUrl = response.message.headers['location'];
                    if (!redirectUrl) {
                        // if there's no location to redirect to, we won't
                        break;
                    }
                    const parsedRedirectUrl = new URL(redirectUrl);
                    if (parsedUrl.protocol === 'https:' &&
                        parsedUrl.protocol !== parsedRedirectUrl.protocol &&
                        !this._allowRedirectDowngrade) {
                        throw new Error('Redirect from HTTPS to HTTP protocol. This downgrade is not allowed for security reasons. If you want to allow this behavior, set the allowRedirectDowngrade option to true.');
                    }
                    // we need to finish reading the response before reassigning response
                    // which will leak the open socket.
                    yield response.readBody();
                    // strip authorization header if redirected to a different hostname
                    if (parsedRedirectUrl.hostname !== parsedUrl.hostname) {
                        for (const header in headers) {
                            // header names are case insensitive
                            if (header.toLowerCase() === 'authorization') {
                                delete headers[header];
                            }
                        }
                    }
                    // let's make the request with the new redirectUrl
                    info = this._prepareRequest(verb, parsedRedirectUrl, headers);
                    response = yield this.requestRaw(info, data);
                    redirectsRemaining--;
                }
                if (!response.message.statusCode ||
                    !HttpResponseRetryCodes.includes(response.message.statusCode)) {
                    // If not a retry code, return immediately instead of retrying
                    return response;
                }
                numTries += 1;
                if (numTries < maxTries) {
                    yield response.readBody();
                    yield this._performExponentialBackoff(numTries);
                }
            } while (numTries < maxTries);
            return response;
        });
    }
    /**
     * Needs to be called if keepAlive is set to true in request options.
     */
    dispose() {
        if (this._agent) {
            this._agent.destroy();
        }
        this._disposed = true;
    }
    /**
     * Raw request.
     * @param info
     * @param data
     */
    requestRaw(info, data) {
        return __awaiter(this, void 0, void 0, function* () {
            return new Promise((resolve, reject) => {
                function callbackForResult(err, res) {
                    if (err) {
                        reject(err);
                    }
                    else if (!res) {
                        // If `err` is not passed, then `res` must be passed.
                        reject(new Error('Unknown error'));
                    }
                    else {
                        resolve(res);
                    }
                }
                this.requestRawWithCallback(info, data, callbackForResult);
            });
        });
    }
    /**
     * Raw request with callback.
     * @param info
     * @param data
     * @param onResult
     */
    requestRawWithCallback(info, data, onResult) {
        if (typeof data === 'string') {
            if (!info.options.headers) {
                info.options.headers = {};
            }
            info.options.headers['Content-Length'] = Buffer.byteLength(data, 'utf8');
        }
        let callbackCalled = false;
        function handleResult(err, res) {
            if (!callbackCalled) {
                callbackCalled = true;
                onResult(err, res);
            }
        }
        const req = info.httpModule.request(info.options, (msg) => {
            const res = new HttpClientResponse(msg);
            handleResult(undefined, res);
        });
        let socket;
        req.on('socket', sock => {
            socket = sock;
        });
        // If we ever get disconnected, we want the socket to timeout eventually
        req.setTimeout(this._socketTimeout || 3 * 60000, () => {
            if (socket) {
                socket.end();
            }
            handleResult(new Error(`Request timeout: ${info.options.path}`));
        });
        req.on('error', function (err) {
            // err has statusCode property
            // res should have headers
            handleResult(err);
        });
        if (data && typeof data === 'string') {
            req.write(data, 'utf8');
        }
        if (data && typeof data !== 'string') {
            data.on('close', function () {
                req.end();
            });
            data.pipe(req);
        }
        else {
            req.end();
        }
    }
    /**
     * Gets an http agent. This function is useful when you need an http agent that handles
     * routing through a proxy server - depending upon the url and proxy environment variables.
     * @param serverUrl  The server URL where the request will be sent. For example, https://api.github.com
     */
    getAgent(serverUrl) {
        const parsedUrl = new URL(serverUrl);
        return this._getAgent(parsedUrl);
    }
    getAgentDispatcher(serverUrl) {
        const parsedUrl = new URL(serverUrl);
        const proxyUrl = getProxyUrl(parsedUrl);
        const useProxy = proxyUrl && proxyUrl.hostname;
        if (!useProxy) {
            return;
        }
        return this._getProxyAgentDispatcher(parsedUrl, proxyUrl);
    }
    _prepareRequest(method, requestUrl, headers) {
        const info = {};
        info.parsedUrl = requestUrl;
        const usingSsl = info.parsedUrl.protocol === 'https:';
        info.httpModule = usingSsl ? external_https_namespaceObject : external_http_namespaceObject;
        const defaultPort = usingSsl ? 443 : 80;
        info.options = {};
        info.options.host = info.parsedUrl.hostname;
        info.options.port = info.parsedUrl.port
            ? parseInt(info.parsedUrl.port)
            : defaultPort;
        info.options.path =
            (info.parsedUrl.pathname || '') + (info.parsedUrl.search || '');
        info.options.method = method;
        info.options.headers = this._mergeHeaders(headers);
        if (this.userAgent != null) {
            info.options.headers['user-agent'] = this.userAgent;
        }
        info.options.agent = this._getAgent(info.parsedUrl);
        // gives handlers an opportunity to participate
        if (this.handlers) {
            for (const handler of this.handlers) {
                handler.prepareRequest(info.options);
            }
        }
        return info;
    }
    _mergeHeaders(headers) {
        if (this.requestOptions && this.requestOptions.headers) {
            return Object.assign({}, lowercaseKeys(this.requestOptions.headers), lowercaseKeys(headers || {}));
        }
        return lowercaseKeys(headers || {});
    }
    /**
     * Gets an existing header value or returns a default.
     * Handles converting number header values to strings since HTTP headers must be strings.
     * Note: This returns string | string[] since some headers can have multiple values.
     * For headers that must always be a single string (like Content-Type), use the
     * specialized _getExistingOrDefaultContentTypeHeader method instead.
     */
    _getExistingOrDefaultHeader(additionalHeaders, header, _default) {
        let clientHeader;
        if (this.requestOptions && this.requestOptions.headers) {
            const headerValue = lowercaseKeys(this.requestOptions.headers)[header];
            if (headerValue) {
                clientHeader =
                    typeof headerValue === 'number' ? headerValue.toString() : headerValue;
            }
        }
        const additionalValue = additionalHeaders[header];
        if (additionalValue !== undefined) {
            return typeof additionalValue === 'number'
                ? additionalValue.toString()
                : additionalValue;
        }
        if (clientHeader !== undefined) {
            return clientHeader;
        }
        return _default;
    }
    /**
     * Specialized version of _getExistingOrDefaultHeader for Content-Type header.
     * Always returns a single string (not an array) since Content-Type should be a single value.
     * Converts arrays to comma-separated strings and numbers to strings to ensure type safety.
     * This was split from _getExistingOrDefaultHeader to provide stricter typing for callers
     * that assign the result to places expecting a string (e.g., additionalHeaders[Headers.ContentType]).
     */
    _getExistingOrDefaultContentTypeHeader(additionalHeaders, _default) {
        let clientHeader;
        if (this.requestOptions && this.requestOptions.headers) {
            const headerValue = lowercaseKeys(this.requestOptions.headers)[Headers.ContentType];
            if (headerValue) {
                if (typeof headerValue === 'number') {
                    clientHeader = String(headerValue);
                }
                else if (Array.isArray(headerValue)) {
                    clientHeader = headerValue.join(', ');
                }
                else {
                    clientHeader = headerValue;
                }
            }
        }
        const additionalValue = additionalHeaders[Headers.ContentType];
        // Return the first non-undefined value, converting numbers or arrays to strings if necessary
        if (additionalValue !== undefined) {
            if (typeof additionalValue === 'number') {
                return String(additionalValue);
            }
            else if (Array.isArray(additionalValue)) {
                return additionalValue.join(', ');
            }
            else {
                return additionalValue;
            }
        }
        if (clientHeader !== undefined) {
            return clientHeader;
        }
        return _default;
    }
    _getAgent(parsedUrl) {
        let agent;
        const proxyUrl = getProxyUrl(parsedUrl);
        const useProxy = proxyUrl && proxyUrl.hostname;
        if (this._keepAlive && useProxy) {
            agent = this._proxyAgent;
        }
        if (!useProxy) {
            agent = this._agent;
        }
        // if agent is already assigned use that agent.
        if (agent) {
            return agent;
        }
        const usingSsl = parsedUrl.protocol === 'https:';
        let maxSockets = 100;
        if (this.requestOptions) {
            maxSockets = this.requestOptions.maxSockets || external_http_.globalAgent.maxSockets;
        }
        // This is `useProxy` again, but we need to check `proxyURl` directly for TypeScripts's flow analysis.
        if (proxyUrl && proxyUrl.hostname) {
            const agentOptions = {
                maxSockets,
                keepAlive: this._keepAlive,
                proxy: Object.assign(Object.assign({}, ((proxyUrl.username || proxyUrl.password) && {
                    proxyAuth: `${proxyUrl.username}:${proxyUrl.password}`
                })), { host: proxyUrl.hostname, port: proxyUrl.port })
            };
            let tunnelAgent;
            const overHttps = proxyUrl.protocol === 'https:';
            if (usingSsl) {
                tunnelAgent = overHttps ? tunnel.httpsOverHttps : tunnel.httpsOverHttp;
            }
            else {
                tunnelAgent = overHttps ? tunnel.httpOverHttps : tunnel.httpOverHttp;
            }
            agent = tunnelAgent(agentOptions);
            this._proxyAgent = agent;
        }
        // if tunneling agent isn't assigned create a new agent
        if (!agent) {
            const options = { keepAlive: this._keepAlive, maxSockets };
            agent = usingSsl ? new external_https_.Agent(options) : new external_http_.Agent(options);
            this._agent = agent;
        }
        if (usingSsl && this._ignoreSslError) {
            // we don't want to set NODE_TLS_REJECT_UNAUTHORIZED=0 since that will affect request for entire process
            // http.RequestOptions doesn't expose a way to modify RequestOptions.agent.options
            // we have to cast it to any and change it directly
            agent.options = Object.assign(agent.options || {}, {
                rejectUnauthorized: false
            });
        }
        return agent;
    }
    _getProxyAgentDispatcher(parsedUrl, proxyUrl) {
        let proxyAgent;
        if (this._keepAlive) {
            proxyAgent = this._proxyAgentDispatcher;
        }
        // if agent is already assigned use that agent.
        if (proxyAgent) {
            return proxyAgent;
        }
        const usingSsl = parsedUrl.protocol === 'https:';
        proxyAgent = new ProxyAgent(Object.assign({ uri: proxyUrl.href, pipelining: !this._keepAlive ? 0 : 1 }, ((proxyUrl.username || proxyUrl.password) && {
            token: `Basic ${Buffer.from(`${proxyUrl.username}:${proxyUrl.password}`).toString('base64')}`
        })));
        this._proxyAgentDispatcher = proxyAgent;
        if (usingSsl && this._ignoreSslError) {
            // we don't want to set NODE_TLS_REJECT_UNAUTHORIZED=0 since that will affect request for entire process
            // http.RequestOptions doesn't expose a way to modify RequestOptions.agent.options
            // we have to cast it to any and change it directly
            proxyAgent.options = Object.assign(proxyAgent.options.requestTls || {}, {
                rejectUnauthorized: false
            });
        }
        return proxyAgent;
    }
    _getUserAgentWithOrchestrationId(userAgent) {
        const baseUserAgent = userAgent || 'actions/http-client';
        const orchId = process.env['ACTIONS_ORCHESTRATION_ID'];
        if (orchId) {
            // Sanitize the orchestration ID to ensure it contains only valid characters
            // Valid characters: 0-9, a-z, _, -, .
            const sanitizedId = orchId.replace(/[^a-z0-9_.-]/gi, '_');
            return `${baseUserAgent} actions_orchestration_id/${sanitizedId}`;
        }
        return baseUserAgent;
    }
    _performExponentialBackoff(retryNumber) {
        return __awaiter(this, void 0, void 0, function* () {
            retryNumber = Math.min(ExponentialBackoffCeiling, retryNumber);
            const ms = ExponentialBackoffTimeSlice * Math.pow(2, retryNumber);
            return new Promise(resolve => setTimeout(() => resolve(), ms));
        });
    }
    _processResponse(res, options) {
        return __awaiter(this, void 0, void 0, function* () {
            return new Promise((resolve, reject) => __awaiter(this, void 0, void 0, function* () {
                const statusCode = res.message.statusCode || 0;
                const response = {
                    statusCode,
                    result: null,
                    headers: {}
                };
                // not found leads to null obj returned
                if (statusCode === HttpCodes.NotFound) {
                    resolve(response);
                }
                // get the result from the body
                function dateTimeDeserializer(key, value) {
                    if (typeof value === 'string') {
                        const a = new Date(value);
                        if (!isNaN(a.valueOf())) {
                            return a;
                        }
                    }
                    return value;
                }
                let obj;
                let contents;
                try {
                    contents = yield res.readBody();
                    if (contents && contents.length > 0) {
                        if (options && options.deserializeDates) {
                            obj = JSON.parse(contents, dateTimeDeserializer);
                        }
                        else {
                            obj = JSON.parse(contents);
                        }
                        response.result = obj;
                    }
                    response.headers = res.message.headers;
                }
                catch (err) {
                    // Invalid resource (contents not json);  leaving result obj null
                }
                // note that 3xx redirects are handled by the http layer.
                if (statusCode > 299) {
                    let msg;
                    // if exception/error in body, attempt to get better error
                    if (obj && obj.message) {
                        msg = obj.message;
                    }
                    else if (contents && contents.length > 0) {
                        // it may be the case that the exception is in the body message as string
                        msg = contents;
                    }
                    else {
                        msg = `Failed request: (${statusCode})`;
                    }
                    const err = new HttpClientError(msg, statusCode);
                    err.result = response.result;
                    reject(err);
                }
                else {
                    resolve(response);
                }
            }));
        });
    }
}
const lowercaseKeys = (obj) => Object.keys(obj).reduce((c, k) => ((c[k.toLowerCase()] = obj[k]), c), {});
//# sourceMappingURL=index.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/http-client/lib/auth.js
var auth_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};
class BasicCredentialHandler {
    constructor(username, password) {
        this.username = username;
        this.password = password;
    }
    prepareRequest(options) {
        if (!options.headers) {
            throw Error('The request has no headers');
        }
        options.headers['Authorization'] = `Basic ${Buffer.from(`${this.username}:${this.password}`).toString('base64')}`;
    }
    // This handler cannot handle 401
    canHandleAuthentication() {
        return false;
    }
    handleAuthentication() {
        return auth_awaiter(this, void 0, void 0, function* () {
            throw new Error('not implemented');
        });
    }
}
class auth_BearerCredentialHandler {
    constructor(token) {
        this.token = token;
    }
    // currently implements pre-authorization
    // TODO: support preAuth = false where it hooks on 401
    prepareRequest(options) {
        if (!options.headers) {
            throw Error('The request has no headers');
        }
        options.headers['Authorization'] = `Bearer ${this.token}`;
    }
    // This handler cannot handle 401
    canHandleAuthentication() {
        return false;
    }
    handleAuthentication() {
        return auth_awaiter(this, void 0, void 0, function* () {
            throw new Error('not implemented');
        });
    }
}
class PersonalAccessTokenCredentialHandler {
    constructor(token) {
        this.token = token;
    }
    // currently implements pre-authorization
    // TODO: support preAuth = false where it hooks on 401
    prepareRequest(options) {
        if (!options.headers) {
            throw Error('The request has no headers');
        }
        options.headers['Authorization'] = `Basic ${Buffer.from(`PAT:${this.token}`).toString('base64')}`;
    }
    // This handler cannot handle 401
    canHandleAuthentication() {
        return false;
    }
    handleAuthentication() {
        return auth_awaiter(this, void 0, void 0, function* () {
            throw new Error('not implemented');
        });
    }
}
//# sourceMappingURL=auth.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/oidc-utils.js
var oidc_utils_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};



class oidc_utils_OidcClient {
    static createHttpClient(allowRetry = true, maxRetry = 10) {
        const requestOptions = {
            allowRetries: allowRetry,
            maxRetries: maxRetry
        };
        return new HttpClient('actions/oidc-client', [new BearerCredentialHandler(oidc_utils_OidcClient.getRequestToken())], requestOptions);
    }
    static getRequestToken() {
        const token = process.env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
        if (!token) {
            throw new Error('Unable to get ACTIONS_ID_TOKEN_REQUEST_TOKEN env variable');
        }
        return token;
    }
    static getIDTokenUrl() {
        const runtimeUrl = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'];
        if (!runtimeUrl) {
            throw new Error('Unable to get ACTIONS_ID_TOKEN_REQUEST_URL env variable');
        }
        return runtimeUrl;
    }
    static getCall(id_token_url) {
        return oidc_utils_awaiter(this, void 0, void 0, function* () {
            var _a;
            const httpclient = oidc_utils_OidcClient.createHttpClient();
            const res = yield httpclient
                .getJson(id_token_url)
                .catch(error => {
                throw new Error(`Failed to get ID Token. \n 
        Error Code : ${error.statusCode}\n 
        Error Message: ${error.message}`);
            });
            const id_token = (_a = res.result) === null || _a === void 0 ? void 0 : _a.value;
            if (!id_token) {
                throw new Error('Response json body do not have ID Token field');
            }
            return id_token;
        });
    }
    static getIDToken(audience) {
        return oidc_utils_awaiter(this, void 0, void 0, function* () {
            try {
                // New ID Token is requested from action service
                let id_token_url = oidc_utils_OidcClient.getIDTokenUrl();
                if (audience) {
                    const encodedAudience = encodeURIComponent(audience);
                    id_token_url = `${id_token_url}&audience=${encodedAudience}`;
                }
                debug(`ID token url is ${id_token_url}`);
                const id_token = yield oidc_utils_OidcClient.getCall(id_token_url);
                setSecret(id_token);
                return id_token;
            }
            catch (error) {
                throw new Error(`Error message: ${error.message}`);
            }
        });
    }
}
//# sourceMappingURL=oidc-utils.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/summary.js
var summary_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};


const { access, appendFile, writeFile } = external_fs_.promises;
const SUMMARY_ENV_VAR = 'GITHUB_STEP_SUMMARY';
const SUMMARY_DOCS_URL = 'https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions#adding-a-job-summary';
class Summary {
    constructor() {
        this._buffer = '';
    }
    /**
     * Finds the summary file path from the environment, rejects if env var is not found or file does not exist
     * Also checks r/w permissions.
     *
     * @returns step summary file path
     */
    filePath() {
        return summary_awaiter(this, void 0, void 0, function* () {
            if (this._filePath) {
                return this._filePath;
            }
            const pathFromEnv = process.env[SUMMARY_ENV_VAR];
            if (!pathFromEnv) {
                throw new Error(`Unable to find environment variable for $${SUMMARY_ENV_VAR}. Check if your runtime environment supports job summaries.`);
            }
            try {
                yield access(pathFromEnv, external_fs_.constants.R_OK | external_fs_.constants.W_OK);
            }
            catch (_a) {
                throw new Error(`Unable to access summary file: '${pathFromEnv}'. Check if the file has correct read/write permissions.`);
            }
            this._filePath = pathFromEnv;
            return this._filePath;
        });
    }
    /**
     * Wraps content in an HTML tag, adding any HTML attributes
     *
     * @param {string} tag HTML tag to wrap
     * @param {string | null} content content within the tag
     * @param {[attribute: string]: string} attrs key-value list of HTML attributes to add
     *
     * @returns {string} content wrapped in HTML element
     */
    wrap(tag, content, attrs = {}) {
        const htmlAttrs = Object.entries(attrs)
            .map(([key, value]) => ` ${key}="${value}"`)
            .join('');
        if (!content) {
            return `<${tag}${htmlAttrs}>`;
        }
        return `<${tag}${htmlAttrs}>${content}</${tag}>`;
    }
    /**
     * Writes text in the buffer to the summary buffer file and empties buffer. Will append by default.
     *
     * @param {SummaryWriteOptions} [options] (optional) options for write operation
     *
     * @returns {Promise<Summary>} summary instance
     */
    write(options) {
        return summary_awaiter(this, void 0, void 0, function* () {
            const overwrite = !!(options === null || options === void 0 ? void 0 : options.overwrite);
            const filePath = yield this.filePath();
            const writeFunc = overwrite ? writeFile : appendFile;
            yield writeFunc(filePath, this._buffer, { encoding: 'utf8' });
            return this.emptyBuffer();
        });
    }
    /**
     * Clears the summary buffer and wipes the summary file
     *
     * @returns {Summary} summary instance
     */
    clear() {
        return summary_awaiter(this, void 0, void 0, function* () {
            return this.emptyBuffer().write({ overwrite: true });
        });
    }
    /**
     * Returns the current summary buffer as a string
     *
     * @returns {string} string of summary buffer
     */
    stringify() {
        return this._buffer;
    }
    /**
     * If the summary buffer is empty
     *
     * @returns {boolen} true if the buffer is empty
     */
    isEmptyBuffer() {
        return this._buffer.length === 0;
    }
    /**
     * Resets the summary buffer without writing to summary file
     *
     * @returns {Summary} summary instance
     */
    emptyBuffer() {
        this._buffer = '';
        return this;
    }
    /**
     * Adds raw text to the summary buffer
     *
     * @param {string} text content to add
     * @param {boolean} [addEOL=false] (optional) append an EOL to the raw text (default: false)
     *
     * @returns {Summary} summary instance
     */
    addRaw(text, addEOL = false) {
        this._buffer += text;
        return addEOL ? this.addEOL() : this;
    }
    /**
     * Adds the operating system-specific end-of-line marker to the buffer
     *
     * @returns {Summary} summary instance
     */
    addEOL() {
        return this.addRaw(external_os_namespaceObject.EOL);
    }
    /**
     * Adds an HTML codeblock to the summary buffer
     *
     * @param {string} code content to render within fenced code block
     * @param {string} lang (optional) language to syntax highlight code
     *
     * @returns {Summary} summary instance
     */
    addCodeBlock(code, lang) {
        const attrs = Object.assign({}, (lang && { lang }));
        const element = this.wrap('pre', this.wrap('code', code), attrs);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML list to the summary buffer
     *
     * @param {string[]} items list of items to render
     * @param {boolean} [ordered=false] (optional) if the rendered list should be ordered or not (default: false)
     *
     * @returns {Summary} summary instance
     */
    addList(items, ordered = false) {
        const tag = ordered ? 'ol' : 'ul';
        const listItems = items.map(item => this.wrap('li', item)).join('');
        const element = this.wrap(tag, listItems);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML table to the summary buffer
     *
     * @param {SummaryTableCell[]} rows table rows
     *
     * @returns {Summary} summary instance
     */
    addTable(rows) {
        const tableBody = rows
            .map(row => {
            const cells = row
                .map(cell => {
                if (typeof cell === 'string') {
                    return this.wrap('td', cell);
                }
                const { header, data, colspan, rowspan } = cell;
                const tag = header ? 'th' : 'td';
                const attrs = Object.assign(Object.assign({}, (colspan && { colspan })), (rowspan && { rowspan }));
                return this.wrap(tag, data, attrs);
            })
                .join('');
            return this.wrap('tr', cells);
        })
            .join('');
        const element = this.wrap('table', tableBody);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds a collapsable HTML details element to the summary buffer
     *
     * @param {string} label text for the closed state
     * @param {string} content collapsable content
     *
     * @returns {Summary} summary instance
     */
    addDetails(label, content) {
        const element = this.wrap('details', this.wrap('summary', label) + content);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML image tag to the summary buffer
     *
     * @param {string} src path to the image you to embed
     * @param {string} alt text description of the image
     * @param {SummaryImageOptions} options (optional) addition image attributes
     *
     * @returns {Summary} summary instance
     */
    addImage(src, alt, options) {
        const { width, height } = options || {};
        const attrs = Object.assign(Object.assign({}, (width && { width })), (height && { height }));
        const element = this.wrap('img', null, Object.assign({ src, alt }, attrs));
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML section heading element
     *
     * @param {string} text heading text
     * @param {number | string} [level=1] (optional) the heading level, default: 1
     *
     * @returns {Summary} summary instance
     */
    addHeading(text, level) {
        const tag = `h${level}`;
        const allowedTag = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].includes(tag)
            ? tag
            : 'h1';
        const element = this.wrap(allowedTag, text);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML thematic break (<hr>) to the summary buffer
     *
     * @returns {Summary} summary instance
     */
    addSeparator() {
        const element = this.wrap('hr', null);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML line break (<br>) to the summary buffer
     *
     * @returns {Summary} summary instance
     */
    addBreak() {
        const element = this.wrap('br', null);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML blockquote to the summary buffer
     *
     * @param {string} text quote text
     * @param {string} cite (optional) citation url
     *
     * @returns {Summary} summary instance
     */
    addQuote(text, cite) {
        const attrs = Object.assign({}, (cite && { cite }));
        const element = this.wrap('blockquote', text, attrs);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML anchor tag to the summary buffer
     *
     * @param {string} text link text/content
     * @param {string} href hyperlink
     *
     * @returns {Summary} summary instance
     */
    addLink(text, href) {
        const element = this.wrap('a', text, { href });
        return this.addRaw(element).addEOL();
    }
}
const _summary = new Summary();
/**
 * @deprecated use `core.summary`
 */
const markdownSummary = (/* unused pure expression or super */ null && (_summary));
const summary = (/* unused pure expression or super */ null && (_summary));
//# sourceMappingURL=summary.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/path-utils.js

/**
 * toPosixPath converts the given path to the posix form. On Windows, \\ will be
 * replaced with /.
 *
 * @param pth. Path to transform.
 * @return string Posix path.
 */
function toPosixPath(pth) {
    return pth.replace(/[\\]/g, '/');
}
/**
 * toWin32Path converts the given path to the win32 form. On Linux, / will be
 * replaced with \\.
 *
 * @param pth. Path to transform.
 * @return string Win32 path.
 */
function toWin32Path(pth) {
    return pth.replace(/[/]/g, '\\');
}
/**
 * toPlatformPath converts the given path to a platform-specific path. It does
 * this by replacing instances of / and \ with the platform-specific path
 * separator.
 *
 * @param pth The path to platformize.
 * @return string The platform-specific path.
 */
function toPlatformPath(pth) {
    return pth.replace(/[/\\]/g, path.sep);
}
//# sourceMappingURL=path-utils.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/platform.js
var platform_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};


const getWindowsInfo = () => platform_awaiter(void 0, void 0, void 0, function* () {
    const { stdout: version } = yield exec.getExecOutput('powershell -command "(Get-CimInstance -ClassName Win32_OperatingSystem).Version"', undefined, {
        silent: true
    });
    const { stdout: name } = yield exec.getExecOutput('powershell -command "(Get-CimInstance -ClassName Win32_OperatingSystem).Caption"', undefined, {
        silent: true
    });
    return {
        name: name.trim(),
        version: version.trim()
    };
});
const getMacOsInfo = () => platform_awaiter(void 0, void 0, void 0, function* () {
    var _a, _b, _c, _d;
    const { stdout } = yield exec.getExecOutput('sw_vers', undefined, {
        silent: true
    });
    const version = (_b = (_a = stdout.match(/ProductVersion:\s*(.+)/)) === null || _a === void 0 ? void 0 : _a[1]) !== null && _b !== void 0 ? _b : '';
    const name = (_d = (_c = stdout.match(/ProductName:\s*(.+)/)) === null || _c === void 0 ? void 0 : _c[1]) !== null && _d !== void 0 ? _d : '';
    return {
        name,
        version
    };
});
const getLinuxInfo = () => platform_awaiter(void 0, void 0, void 0, function* () {
    const { stdout } = yield exec.getExecOutput('lsb_release', ['-i', '-r', '-s'], {
        silent: true
    });
    const [name, version] = stdout.trim().split('\n');
    return {
        name,
        version
    };
});
const platform = external_os_namespaceObject.platform();
const arch = external_os_namespaceObject.arch();
const isWindows = platform === 'win32';
const isMacOS = platform === 'darwin';
const isLinux = platform === 'linux';
function getDetails() {
    return platform_awaiter(this, void 0, void 0, function* () {
        return Object.assign(Object.assign({}, (yield (isWindows
            ? getWindowsInfo()
            : isMacOS
                ? getMacOsInfo()
                : getLinuxInfo()))), { platform,
            arch,
            isWindows,
            isMacOS,
            isLinux });
    });
}
//# sourceMappingURL=platform.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/core.js
var core_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};






/**
 * The code to exit an action
 */
var ExitCode;
(function (ExitCode) {
    /**
     * A code indicating that the action was successful
     */
    ExitCode[ExitCode["Success"] = 0] = "Success";
    /**
     * A code indicating that the action was a failure
     */
    ExitCode[ExitCode["Failure"] = 1] = "Failure";
})(ExitCode || (ExitCode = {}));
//-----------------------------------------------------------------------
// Variables
//-----------------------------------------------------------------------
/**
 * Sets env variable for this action and future actions in the job
 * @param name the name of the variable to set
 * @param val the value of the variable. Non-string values will be converted to a string via JSON.stringify
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function exportVariable(name, val) {
    const convertedVal = toCommandValue(val);
    process.env[name] = convertedVal;
    const filePath = process.env['GITHUB_ENV'] || '';
    if (filePath) {
        return issueFileCommand('ENV', prepareKeyValueMessage(name, val));
    }
    issueCommand('set-env', { name }, convertedVal);
}
/**
 * Registers a secret which will get masked from logs
 *
 * @param secret - Value of the secret to be masked
 * @remarks
 * This function instructs the Actions runner to mask the specified value in any
 * logs produced during the workflow run. Once registered, the secret value will
 * be replaced with asterisks (***) whenever it appears in console output, logs,
 * or error messages.
 *
 * This is useful for protecting sensitive information such as:
 * - API keys
 * - Access tokens
 * - Authentication credentials
 * - URL parameters containing signatures (SAS tokens)
 *
 * Note that masking only affects future logs; any previous appearances of the
 * secret in logs before calling this function will remain unmasked.
 *
 * @example
 * ```typescript
 * // Register an API token as a secret
 * const apiToken = "abc123xyz456";
 * setSecret(apiToken);
 *
 * // Now any logs containing this value will show *** instead
 * console.log(`Using token: ${apiToken}`); // Outputs: "Using token: ***"
 * ```
 */
function core_setSecret(secret) {
    command_issueCommand('add-mask', {}, secret);
}
/**
 * Prepends inputPath to the PATH (for this action and future actions)
 * @param inputPath
 */
function addPath(inputPath) {
    const filePath = process.env['GITHUB_PATH'] || '';
    if (filePath) {
        issueFileCommand('PATH', inputPath);
    }
    else {
        issueCommand('add-path', {}, inputPath);
    }
    process.env['PATH'] = `${inputPath}${path.delimiter}${process.env['PATH']}`;
}
/**
 * Gets the value of an input.
 * Unless trimWhitespace is set to false in InputOptions, the value is also trimmed.
 * Returns an empty string if the value is not defined.
 *
 * @param     name     name of the input to get
 * @param     options  optional. See InputOptions.
 * @returns   string
 */
function getInput(name, options) {
    const val = process.env[`INPUT_${name.replace(/ /g, '_').toUpperCase()}`] || '';
    if (options && options.required && !val) {
        throw new Error(`Input required and not supplied: ${name}`);
    }
    if (options && options.trimWhitespace === false) {
        return val;
    }
    return val.trim();
}
/**
 * Gets the values of an multiline input.  Each value is also trimmed.
 *
 * @param     name     name of the input to get
 * @param     options  optional. See InputOptions.
 * @returns   string[]
 *
 */
function getMultilineInput(name, options) {
    const inputs = getInput(name, options)
        .split('\n')
        .filter(x => x !== '');
    if (options && options.trimWhitespace === false) {
        return inputs;
    }
    return inputs.map(input => input.trim());
}
/**
 * Gets the input value of the boolean type in the YAML 1.2 "core schema" specification.
 * Support boolean input list: `true | True | TRUE | false | False | FALSE` .
 * The return value is also in boolean type.
 * ref: https://yaml.org/spec/1.2/spec.html#id2804923
 *
 * @param     name     name of the input to get
 * @param     options  optional. See InputOptions.
 * @returns   boolean
 */
function getBooleanInput(name, options) {
    const trueValue = ['true', 'True', 'TRUE'];
    const falseValue = ['false', 'False', 'FALSE'];
    const val = getInput(name, options);
    if (trueValue.includes(val))
        return true;
    if (falseValue.includes(val))
        return false;
    throw new TypeError(`Input does not meet YAML 1.2 "Core Schema" specification: ${name}\n` +
        `Support boolean input list: \`true | True | TRUE | false | False | FALSE\``);
}
/**
 * Sets the value of an output.
 *
 * @param     name     name of the output to set
 * @param     value    value to store. Non-string values will be converted to a string via JSON.stringify
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function setOutput(name, value) {
    const filePath = process.env['GITHUB_OUTPUT'] || '';
    if (filePath) {
        return file_command_issueFileCommand('OUTPUT', file_command_prepareKeyValueMessage(name, value));
    }
    process.stdout.write(external_os_namespaceObject.EOL);
    command_issueCommand('set-output', { name }, utils_toCommandValue(value));
}
/**
 * Enables or disables the echoing of commands into stdout for the rest of the step.
 * Echoing is disabled by default if ACTIONS_STEP_DEBUG is not set.
 *
 */
function setCommandEcho(enabled) {
    issue('echo', enabled ? 'on' : 'off');
}
//-----------------------------------------------------------------------
// Results
//-----------------------------------------------------------------------
/**
 * Sets the action status to failed.
 * When the action exits it will be with an exit code of 1
 * @param message add error issue message
 */
function setFailed(message) {
    process.exitCode = ExitCode.Failure;
    error(message);
}
//-----------------------------------------------------------------------
// Logging Commands
//-----------------------------------------------------------------------
/**
 * Gets whether Actions Step Debug is on or not
 */
function isDebug() {
    return process.env['RUNNER_DEBUG'] === '1';
}
/**
 * Writes debug message to user log
 * @param message debug message
 */
function core_debug(message) {
    command_issueCommand('debug', {}, message);
}
/**
 * Adds an error issue
 * @param message error issue message. Errors will be converted to string via toString()
 * @param properties optional properties to add to the annotation.
 */
function error(message, properties = {}) {
    command_issueCommand('error', toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
 * Adds a warning issue
 * @param message warning issue message. Errors will be converted to string via toString()
 * @param properties optional properties to add to the annotation.
 */
function warning(message, properties = {}) {
    command_issueCommand('warning', toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
 * Adds a notice issue
 * @param message notice issue message. Errors will be converted to string via toString()
 * @param properties optional properties to add to the annotation.
 */
function notice(message, properties = {}) {
    command_issueCommand('notice', toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
 * Writes info to log with console.log.
 * @param message info message
 */
function info(message) {
    process.stdout.write(message + external_os_namespaceObject.EOL);
}
/**
 * Begin an output group.
 *
 * Output until the next `groupEnd` will be foldable in this group
 *
 * @param name The name of the output group
 */
function startGroup(name) {
    command_issue('group', name);
}
/**
 * End an output group.
 */
function endGroup() {
    command_issue('endgroup');
}
/**
 * Wrap an asynchronous function call in a group.
 *
 * Returns the same type as the function itself.
 *
 * @param name The name of the group
 * @param fn The function to wrap in the group
 */
function group(name, fn) {
    return core_awaiter(this, void 0, void 0, function* () {
        startGroup(name);
        let result;
        try {
            result = yield fn();
        }
        finally {
            endGroup();
        }
        return result;
    });
}
//-----------------------------------------------------------------------
// Wrapper action state
//-----------------------------------------------------------------------
/**
 * Saves state for current action, the state can only be retrieved by this action's post job execution.
 *
 * @param     name     name of the state to store
 * @param     value    value to store. Non-string values will be converted to a string via JSON.stringify
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function saveState(name, value) {
    const filePath = process.env['GITHUB_STATE'] || '';
    if (filePath) {
        return issueFileCommand('STATE', prepareKeyValueMessage(name, value));
    }
    issueCommand('save-state', { name }, toCommandValue(value));
}
/**
 * Gets the value of an state set by this action's main execution.
 *
 * @param     name     name of the state to get
 * @returns   string
 */
function getState(name) {
    return process.env[`STATE_${name}`] || '';
}
function getIDToken(aud) {
    return core_awaiter(this, void 0, void 0, function* () {
        return yield OidcClient.getIDToken(aud);
    });
}
/**
 * Summary exports
 */

/**
 * @deprecated use core.summary
 */

/**
 * Path exports
 */

/**
 * Platform utilities exports
 */

//# sourceMappingURL=core.js.map
;// CONCATENATED MODULE: ./lib/expressions.js
// Texts that an expression of the workflow or a shell should have replaced.
/** `${{ secrets.TOKEN }}` */
const EXPRESSION = /\$\{\{[^]*?\}\}/i;
/** `$TOKEN`, `$env:TOKEN`, `${TOKEN}`, `$(TOKEN)`, `%TOKEN%` */
const VARIABLE = /\$(?:env:)?[a-z_]\w*|\$[({]\w+[)}]|%[a-z_]\w*%/i;
/** `{{ vars.URL }}`, `${ vars.URL }` */
const HALF_WRITTEN = /(?:\$\{|\{\{)[^{}]*\}{1,2}/i;
/** `secrets.TOKEN`, with some of the braces or none. */
const BARE = /[${ ]*(?:secrets|vars|env)\.\w+[} ]*/i;
const QUOTED = /"[^]*"|'[^]*'/i;
const UNCLOSED = 'is the text of an expression: write ${{ }} around it.';
const WRONG_SYNTAX = [
    [EXPRESSION, 'is an expression, which is evaluated only in the workflow file.'],
    [
        VARIABLE,
        'is a shell variable, which `with:` does not replace: write ${{ secrets.NAME }}, ${{ vars.NAME }} or ${{ env.NAME }}.',
    ],
    [HALF_WRITTEN, UNCLOSED],
    [BARE, UNCLOSED],
    [QUOTED, 'is in quotes: remove them.'],
];
/** What is wrong with a text in quotes, or in the syntax of an expression or a shell; undefined for any other text. */
function findWrongSyntax(text) {
    return WRONG_SYNTAX.find(([{ source }]) => new RegExp(`^(?:${source})$`, 'i').test(text))?.[1];
}
const UNREPLACED = [
    [
        EXPRESSION,
        () => 'is an expression, which is evaluated only in the workflow file: write the path itself.',
    ],
    [
        VARIABLE,
        (found) => `is a shell variable, which \`with:\` does not replace: write ${findReplacement(found)}.`,
    ],
    [HALF_WRITTEN, () => UNCLOSED],
];
/** The first part of a path that was not replaced, and what to write, in a sentence; undefined if there is none. */
function findUnexpanded(path) {
    for (const [pattern, explain] of UNREPLACED) {
        const [found] = pattern.exec(path) ?? [];
        if (found !== undefined)
            return `'${found}' ${explain(found)}`;
    }
    return undefined;
}
/** What to write for a shell variable in a path. */
function findReplacement(variable) {
    const name = variable.replaceAll(/^\$env:|\W/gi, '');
    if (name === 'GITHUB_WORKSPACE')
        return 'a path that is relative to the workspace';
    const { [name]: value = '' } = process.env;
    // In a container the expression has the path outside it.
    if (value.startsWith('/__w/'))
        return value;
    const [, context = '', property = ''] = /^(GITHUB|RUNNER)_(\w+)$/.exec(name) ?? [];
    return context === ''
        ? `the path itself, or \${{ env.${name} }} if the workflow sets it`
        : `\${{ ${context}.${property} }}`.toLowerCase();
}

;// CONCATENATED MODULE: ./lib/inputs/fields.js





/** How large a file that is no scan may be. It is enough for `scans` with 1,000 long paths. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MISSING_FIX = 'Create it, or check out the repository, before this step.';
/** An input's text without surrounding white space; `fallback` if it is empty or absent. */
function readInput(name, fallback = '') {
    return getInput(name) || fallback;
}
/**
 * Reads a small file that an input names, relative to the workspace or absolute. Throws an InputError that says why it
 * cannot be read.
 */
async function readInputFile(input, path, workspace) {
    try {
        return await readSmallFile((0,external_node_path_namespaceObject.resolve)(workspace, path), MAX_FILE_BYTES);
    }
    catch (error) {
        const code = errorReason(error);
        const fault = code === 'ENOENT'
            ? `does not exist. ${findUnexpanded(path) ?? MISSING_FIX}`
            : `cannot be read (${code}).`;
        throw new InputError(`\`${input}\`: the file '${path}' ${fault}`);
    }
}
/** Whether a text can only be the path of a file: it ends in an extension, unlike any key or token. */
function isFilePath(text) {
    return /^[^\r\n]{1,255}\.[a-z]\w{0,4}$/i.test(text);
}
/** Collects what is wrong with inputs, so that one error names all of it. Every reader of an input throws an InputError. */
class Faults {
    #place;
    #faults;
    #fixes;
    constructor(place = '', faults = new Set(), fixes = new Set()) {
        this.#place = place;
        this.#faults = faults;
        this.#fixes = fixes;
    }
    /** The same collection, which takes no fixes. */
    withoutFixes() {
        return new Faults(this.#place, this.#faults);
    }
    /** The same collection, which writes `place` before each fault. */
    at(place) {
        return new Faults(place, this.#faults, this.#fixes);
    }
    /** Returns what `read` returns, or `fallback` if it throws an InputError. */
    read(fallback, read) {
        try {
            return read();
        }
        catch (error) {
            return this.#collect(fallback, error);
        }
    }
    /** Does the same for a reader that returns a promise. */
    async readLater(fallback, reading) {
        return reading.catch((error) => this.#collect(fallback, error));
    }
    /** Throws one InputError with all faults, if there are any. */
    throwAny() {
        if (this.#faults.size > 0)
            throw new InputError([...this.#faults], [...this.#fixes]);
    }
    #collect(fallback, error) {
        if (!(error instanceof InputError))
            throw error;
        for (const fault of error.faults)
            this.#faults.add(`${this.#place}${fault}`);
        for (const fix of error.fixes)
            this.#fixes.add(fix);
        return fallback;
    }
}

;// CONCATENATED MODULE: ./lib/inputs/event.js





/** What this run is for; undefined outside a workflow. */
async function findRevision() {
    const { GITHUB_REF: ref = '', GITHUB_SHA: sha = '', GITHUB_RUN_ATTEMPT: run = '1' } = process.env;
    if (ref === '')
        return undefined;
    const event = await readEvent();
    // A pull request is an issue too; an issue has no such member.
    const issue = hasSign(event, 'issue/pull_request') ? ['issue/number'] : [];
    const paths = ['pull_request/number', 'workflow_run/pull_requests/number', ...issue];
    const number = findText(event, ...paths);
    const starter = nameStarter(event, number);
    const queue = findText(event, 'merge_group/base_ref');
    const place = queue === undefined ? nameRef(ref) : `the merge queue of ${nameRef(queue)}`;
    const [subject, commit = sha] = ref.startsWith('refs/pull/')
        ? [starter, findText(event, 'pull_request/head/sha')]
        : [place];
    const attempt = Number(run);
    const facts = [
        `For ${subject}`,
        `commit \`${commit.slice(0, 7)}\``,
        attempt > 1 ? `attempt ${attempt}` : '',
        ['push', 'merge group', subject].includes(starter) ? '' : `started by ${starter}`,
    ];
    const pullRequest = number === undefined ? undefined : Number(number);
    return { ref, sha, pullRequest, attempt, text: joinTexts(facts, ', ') };
}
/** A branch as code, or a tag: `refs/tags/v1.2` is ``tag `v1.2` ``. */
function nameRef(ref) {
    const [, kind, ...rest] = ref.split('/');
    return `${kind === 'tags' ? 'tag ' : ''}\`${rest.join('/')}\``;
}
/** What started a run: a pull request, or another run's branch, with its repository if that is a fork; or the event. */
function nameStarter(event, number) {
    const { GITHUB_EVENT_NAME: name = '' } = process.env;
    const branch = findText(event, 'workflow_run/head_branch');
    const start = (number && `pull request ${number}`) || (branch && `\`${branch}\``);
    const fork = findText(event, 'pull_request/head/repo/full_name', 'workflow_run/head_repository/full_name');
    const isFork = fork !== undefined && fork !== findText(event, 'repository/full_name');
    return `${start ?? name.replaceAll('_', ' ')}${isFork ? ` of \`${fork}\`` : ''}`;
}
/** The name of the default branch if the run is for a push to it, or for a schedule. */
async function findDefaultBranch() {
    const { GITHUB_EVENT_NAME: event, GITHUB_REF: ref = '' } = process.env;
    // A schedule is always of the default branch. Its payload does not name the repository.
    if (event === 'schedule')
        return ref.replace('refs/heads/', '');
    if (event !== 'push')
        return undefined;
    const name = findText(await readEvent(), 'repository/default_branch');
    return ref === `refs/heads/${name}` ? name : undefined;
}
/** What is a fork, so that the run gets no secrets: the head of a pull request, or the repository itself. */
async function findFork() {
    const event = await readEvent();
    const [head, base] = ['head', 'base'].map((end) => findText(event, `pull_request/${end}/repo/full_name`));
    // Other events have neither. Runs for `pull_request_target` get secrets.
    if (head !== base && process.env.GITHUB_EVENT_NAME !== 'pull_request_target')
        return 'head';
    return hasSign(event, 'repository/fork=true') ? 'repository' : undefined;
}
/** The payload of the event that started the run; undefined if there is none. */
async function readEvent() {
    const { GITHUB_EVENT_PATH: path = '' } = process.env;
    return tryJson(String(await readSmallFile(path, MAX_FILE_BYTES).catch(() => '')));
}

;// CONCATENATED MODULE: external "node:net"
const external_node_net_namespaceObject = require("node:net");
;// CONCATENATED MODULE: ./lib/service/host.js

/** Whether a URL's host is this machine, so that no data leaves it. */
function isLoopback(hostname) {
    const isLocal = ['localhost', '[::1]'].includes(hostname);
    return isLocal || ((0,external_node_net_namespaceObject.isIPv4)(hostname) && hostname.startsWith('127.'));
}
/** The host of a URL with its port, also if that is the default. */
function nameHost({ hostname, port, protocol }) {
    return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

;// CONCATENATED MODULE: ./lib/service/operations.js
// The operations of the Scan Upload Service, as its interface document describes them. All other code uses
// this table. The inputs that are set choose the operation, or the number of files that `files` matched.
/** The path of all operations below the base URL. */
const OPERATIONS_PATH = '/v1/scanner/';
const SCAN = { name: 'ScanJsonFile', input: 'scan-file', isJson: true, expects: 'either' };
const SBOM = {
    name: 'DependenciesCDX',
    input: 'dependencies-file',
    isJson: false,
    expects: 'SBOM',
};
const REPORT = {
    name: 'VulnerabilitiesTool',
    input: 'vulnerabilities-file',
    isJson: false,
    expects: 'report',
};
/** All file parts, each once: operations may share one. */
const PARTS = [SCAN, SBOM, REPORT];
/** All operations of the service. */
const OPERATIONS = [
    { name: 'upload-file', parts: [SCAN] },
    { name: 'upload-multiple-files', parts: [SBOM, REPORT] },
];
/** The plain text part of every operation: the scan's UUID. */
const SCAN_KEY_PART = 'ScanKey';
/** The content type of every file part, whatever its format. */
const FILE_CONTENT_TYPE = 'application/octet-stream';
/** Returns the URL of an operation. Its path is appended to that of `baseUrl`; resolving it would drop a prefix. */
function locateOperation(baseUrl, { name }) {
    const url = new URL(baseUrl);
    url.pathname = `${baseUrl.pathname.replace(/\/+$/, '')}${OPERATIONS_PATH}${name}`;
    return url;
}

;// CONCATENATED MODULE: external "node:querystring"
const external_node_querystring_namespaceObject = require("node:querystring");
;// CONCATENATED MODULE: ./lib/redaction/forms.js


/** Fewer characters of Base64 may occur by chance. */
const MIN_BASE64_CHARACTERS = 8;
/**
 * The texts in which a secret is looked for: as it is, in lower case, without its percent-encoding, with the spaces of a
 * form, with joined white space, and in Base64. What a text escapes, `readings` undoes.
 */
function listForms(secret) {
    const plain = [secret, (0,external_node_querystring_namespaceObject.unescape)(secret), secret.replaceAll(' ', '+'), joinWhiteSpace(secret)];
    const forms = [
        ...plain,
        ...plain.map((form) => form.toLowerCase()),
        ...[0, 1, 2].flatMap((offset) => listBase64(secret, offset)),
    ];
    return [...new Set(forms.map(stripInvisible))].filter((form) => form !== '');
}
/**
 * A secret in the Base64 of a longer text, in which it begins `offset` bytes after a group of three: the characters that
 * do not depend on the rest of the text. With an offset of 1, the first two (8 / 6, rounded up) have bits of the byte
 * before the secret.
 */
function listBase64(secret, offset) {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    if (end - start < MIN_BASE64_CHARACTERS)
        return [];
    return ['base64', 'base64url'].map((name) => bytes.toString(name).slice(start, end));
}

;// CONCATENATED MODULE: ./lib/redaction/readings.js

/**
 * How URLs, JSON and HTML write a character: its bytes, a number, or a name. Each kind is read alone, because a secret
 * may contain what looks like an escape of another one.
 */
const ESCAPES = [
    /(?<bytes>%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f])+)/gi,
    /\\(?:u(?<hex>[\da-f]{4})|(?<code>x[\da-f]{2})|(?<name>[\W_t]))/gi,
    /&(?:#(?<code>x0*[\da-f]{1,5}|0*\d{1,6})|(?<name>amp|lt|gt|quot|apos|plus|sol|equals));/gi,
];
const NAMED = {
    t: '\t',
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    plus: '+',
    sol: '/',
    equals: '=',
};
/** A text as it is, and with its escapes undone once, for each kind of escapes that it has. */
function listReadings(text) {
    const kinds = ESCAPES.filter((escape) => text.search(escape) >= 0);
    return [undo(text, []), ...kinds.map((escape) => undo(text, text.matchAll(escape)))];
}
function undo(text, escapes) {
    const parts = [];
    const places = [];
    let kept = 0;
    for (const escape of escapes) {
        const character = decode(escape.groups ?? {});
        parts.push(text.slice(kept, escape.index), character);
        while (kept <= escape.index)
            places.push(kept++);
        kept = escape.index + escape[0].length;
        // The first unit of a character stands for the whole escape.
        if (character.length > 1)
            places.push(kept);
    }
    parts.push(text.slice(kept));
    while (kept <= text.length)
        places.push(kept++);
    return { text: parts.join(''), places };
}
/** The character that an escape stands for. */
function decode({ bytes, hex, code = `x${hex}`, name, }) {
    if (bytes !== undefined)
        return (0,external_node_querystring_namespaceObject.unescape)(bytes);
    if (name !== undefined)
        return NAMED[name.toLowerCase()] ?? name;
    return String.fromCodePoint(Number(`0${code}`));
}

;// CONCATENATED MODULE: ./lib/redaction/clean.js



/** So many characters of a secret, one after the other, are removed from texts. */
const PIECE_CHARACTERS = 8;
/**
 * Ordinary words with a mark between two: each has at most 12 letters of one case, or with a capital at its beginning,
 * and a short number.
 */
const WORDS = /^(?:(?:[\p{Lu}\p{Ll}]\p{Ll}{1,11}|\p{Lu}{2,12})\d{0,4}(?:[^\p{L}\p{N}](?!$)|$))+$/u;
/** Stands for a character of a secret; a text without invisible characters does not have it. */
const PLACEHOLDER = '\0';
/** What a mask replaces. Half of a character may be left where a piece ends. */
const PLACEHOLDERS = /[\0\p{Cs}]+/gu;
/** Where `cutText` has cut a text, maybe in an escape, whose mark may look like that of the secret. */
const CUT = /^[%&\\]?[#\w]* ?…/;
const MAX_CUT_CHARACTERS = 16;
/** Knows secrets, and removes them and their pieces from texts. */
class Redactor {
    /** What is searched, by its first piece: pieces, and whole forms of secrets that are words. */
    #sought = new Map();
    /** Forms that are shorter than a piece. */
    #short = new Set();
    /** Adds a secret. Of one that is words and `mayBeWords`, such as a password that a person chose, the pieces stay. */
    learn(secret, mayBeWords = false) {
        const isWords = mayBeWords && WORDS.test(secret);
        for (const form of listForms(secret)) {
            if (form.length < PIECE_CHARACTERS)
                this.#short.add(form);
            else
                for (const text of isWords ? [form] : listPieces(form))
                    this.#seek(text);
        }
    }
    #seek(text) {
        const first = text.slice(0, PIECE_CHARACTERS);
        const known = this.#sought.get(first);
        if (known === undefined)
            this.#sought.set(first, new Set([text]));
        else
            known.add(text);
    }
    /**
     * Returns a text without invisible characters and secrets; those that touch or overlap become one mask. The
     * characters are removed first, because the text around them could form a secret.
     */
    redact(text) {
        const visible = stripInvisible(text);
        const units = visible.split('');
        for (const reading of listReadings(visible)) {
            for (const [start, end] of this.#find(reading.text)) {
                units.fill(PLACEHOLDER, reading.places[start], reading.places[end]);
            }
        }
        return units.join('').replace(PLACEHOLDERS, '***');
    }
    /** The start and the end of each secret, or piece of one, in a text. */
    *#find(text) {
        for (const form of this.#short) {
            for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
                yield [at, at + form.length];
            }
        }
        for (let end = PIECE_CHARACTERS; end <= text.length; end += 1) {
            const start = end - PIECE_CHARACTERS;
            for (const sought of this.#sought.get(text.slice(start, end)) ?? []) {
                const length = countSame(sought, text, start);
                const reached = start + length;
                const isCut = CUT.test(text.slice(reached, reached + MAX_CUT_CHARACTERS));
                if (isCut || length === sought.length)
                    yield [start, reached];
            }
        }
    }
}
function* listPieces(form) {
    for (let end = PIECE_CHARACTERS; end <= form.length; end += 1) {
        yield form.slice(end - PIECE_CHARACTERS, end);
    }
}
/** How many characters of `sought` a text has from `start` on. */
function countSame(sought, text, start) {
    let length = 0;
    while (length < sought.length && sought[length] === text[start + length])
        length += 1;
    return length;
}
/** The secrets of the process: a secret that is known anywhere is removed everywhere. */
const redactor = new Redactor();
/** The secrets that the runner masks in the whole job, in the order in which it learns them. */
const masked = new Set();
let taken = 0;
/** Removes a secret and its pieces from all texts that are cleaned from now on. */
function hide(secret, mayBeWords) {
    redactor.learn(secret, mayBeWords);
}
/** The same, and the log asks the runner to mask the secret before it writes its next line. Never masks white space. */
function mask(text, mayBeWords) {
    const secret = text.trim();
    if (secret === '')
        return;
    hide(secret, mayBeWords);
    masked.add(secret);
}
/** The secrets that the runner is to mask, each once. */
function takeMasks() {
    const untaken = [...masked].slice(taken);
    taken = masked.size;
    return untaken;
}
/** A text without invisible characters, secrets and their pieces, whether it was cut or joined before. */
function clean(text) {
    return redactor.redact(text);
}

;// CONCATENATED MODULE: ./lib/redaction/credential-names.js
/** What the name of a credential has in it: `X-ApiKey`, `X-AuthToken`. */
const STEMS = 'auth cookie credential jwt key pass pwd secret session sig token'.split(' ');
/** What it is, or one of its words, which hyphens separate. */
const credential_names_WORDS = [...STEMS, 'authorization', 'password', 'signature'];
/** It identifies a request and is not secret. */
const REQUEST_KEY = 'idempotency-key';
/** The words of a credential's name in JSON. Longer ones also end words, and begin them: `accesstoken`, `sessionid`. */
const JSON_WORDS = [...credential_names_WORDS, 'accesskey', 'apikey', 'passphrase', 'privatekey'].flatMap((word) => [
    word,
    `${word}s`,
]);
const MIN_ENDING = 5;
const MIN_BEGINNING = 6;
/** Ids that have such a word. */
const IDS = ['idempotency-key', 'scan-key', 'project-key'];
/** Between words: white space, `-`, `_`, and before a capital letter, as in `accessToken` and `APIKey`. */
const WORD_BREAK = /[\s_-]+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
/** Whether a name, such as that of a header, says that its value is a credential. */
function isCredentialName(name) {
    const lower = name.toLowerCase();
    return lower !== REQUEST_KEY && lower.split('-').some((word) => credential_names_WORDS.includes(word));
}
/** Whether a name says that its value may be a credential: it is removed from texts, but not masked in the whole job. */
function mayBeCredentialName(name) {
    const lower = name.toLowerCase();
    return lower !== REQUEST_KEY && STEMS.some((stem) => lower.includes(stem));
}
/** Whether a name in the JSON of a response says that its value may be a credential; `keywords` and `passed` do not. */
function isCredentialMember(name) {
    const words = name.split(WORD_BREAK).map((word) => word.toLowerCase());
    return !IDS.includes(words.join('-')) && words.some(isCredentialWord);
}
function isCredentialWord(word) {
    return JSON_WORDS.some((known) => word === known ||
        (known.length >= MIN_ENDING && word.endsWith(known)) ||
        (known.length >= MIN_BEGINNING && word.startsWith(known)));
}

;// CONCATENATED MODULE: ./lib/inputs/request-headers.js


/** The characters of a field name (RFC 9110, section 5.6.2). */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that frame the message, control the connection or are set by the action; one that ends in `-` is a prefix. */
const RESERVED = 'accept-encoding connection content- expect host keep-alive proxy- te traceparent trailer transfer-encoding upgrade';
/** Checks `token-header`: the name of a header that is not reserved. Throws an InputError. */
function parseTokenHeader(text) {
    if (!FIELD_NAME.test(text)) {
        throw new InputError('`token-header` must be the name of a header alone, such as X-Api-Key.');
    }
    if (!isReserved(text))
        return text;
    throw new InputError(`\`token-header\` must not be ${text}: the action sets it.`);
}
/**
 * Reads `headers`, one `Name: value` in each line that is not blank. None may have the name of the credential's header.
 * In a dry run values may be empty, and their headers are left out. Throws an InputError with one fault for each invalid
 * line, which names the header and never its value.
 */
function parseHeaders(text, credential, dryRun) {
    const tokenHeader = credential.kind === 'none' ? undefined : credential.header.toLowerCase();
    const headers = [];
    const faults = [];
    for (const [index, line] of splitLines(text).entries()) {
        if (line.trim() === '')
            continue;
        const header = splitHeader(line);
        const fault = findFault(header, tokenHeader, dryRun);
        if (fault !== undefined)
            faults.push(`\`headers\`, line ${index + 1}: ${fault}.`);
        if (header.value !== '')
            headers.push(header);
    }
    if (faults.length > 0)
        throw new InputError(faults);
    return headers;
}
/** Splits a line into name and value, without white space around them. Without a colon the name is empty. */
function splitHeader(line) {
    const colon = line.indexOf(':');
    return { name: line.slice(0, Math.max(colon, 0)).trim(), value: line.slice(colon + 1).trim() };
}
function isReserved(name) {
    const lower = name.toLowerCase();
    return RESERVED.split(' ').some((each) => {
        return each.endsWith('-') ? lower.startsWith(each) : lower === each;
    });
}
function findFault({ name, value }, tokenHeader, dryRun) {
    if (!FIELD_NAME.test(name))
        return 'not of the form "Name: value"';
    if (isReserved(name))
        return `${name} must not be set: the action sets it`;
    if (name.toLowerCase() === tokenHeader) {
        return `${name} carries the token: use \`token\`, with \`token-prefix\` for its scheme`;
    }
    if (value === '')
        return dryRun ? undefined : `${name} has no value (an empty secret?)`;
    return isFieldValue(value) ? undefined : `${name} has a character that a header cannot carry`;
}

;// CONCATENATED MODULE: ./lib/inputs/secrets.js
// Each of these functions hides a secret before it returns it, even if an input is invalid: no message may show one.







/**
 * The shortest secret besides the token. The runner drops every job output that contains a masked
 * value, so that masking a header's `true` would lose `uploaded=true`.
 */
const MIN_SECRET_CHARACTERS = 8;
/** No service accepts a longer header, and every piece of a secret is kept in memory. */
const MAX_SECRET_CHARACTERS = 16 * 1024;
const PRIVATE_KEY = /-----BEGIN [^-]*PRIVATE KEY-----([^]*?)(?:-----|$)/g;
/** A person may have chosen it. */
const maskWords = (secret) => mask(secret, true);
const hideWords = (secret) => hide(secret, true);
/** Masks `token`, one of one line however short it is, and returns it. Throws an InputError if it is too long. */
function hideToken() {
    const token = readInput('token');
    const lines = listLines(token);
    hideAll('`token`', mask, lines, lines.length === 1 ? 1 : MIN_SECRET_CHARACTERS);
    return token;
}
/** Masks `client-key`, and returns it: text, or the path of a file. Throws an InputError if it is too long. */
function hideClientKey() {
    const key = readInput('client-key');
    return isFilePath(key) ? key : hideKey(key);
}
/** Masks the lines of a private key, and returns it. What stands around it in PEM is no secret. */
function hideKey(text) {
    const found = Array.from(text.matchAll(PRIVATE_KEY), ([, key = '']) => key);
    const key = (found.length > 0 ? found : [text]).join('\n');
    hideAll('`client-key`', mask, key.length > MAX_SECRET_CHARACTERS ? [key] : listLines(key));
    return text;
}
/** Hides the values in `headers` that may be credentials, and returns it. Throws an InputError if one is too long. */
function hideHeaders() {
    const text = readInput('headers');
    const headers = listLines(text).map(splitHeader);
    const masked = headers.filter(({ name }) => isCredentialName(name)).map(({ value }) => value);
    hideAll('`headers`', maskWords, masked.filter(isUsable));
    // Without a name it is no header, and may be a pasted secret.
    const hidden = headers.filter(({ name }) => name === '' || mayBeCredentialName(name));
    hideAll('`headers`', hideWords, hidden.flatMap(listParts));
    return text;
}
/** Masks the token with which the job requests OIDC tokens, and returns it. */
function hideRequestToken() {
    const { ACTIONS_ID_TOKEN_REQUEST_TOKEN: token = '' } = process.env;
    hideAll('ACTIONS_ID_TOKEN_REQUEST_TOKEN', mask, [token]);
    return token;
}
/** Hides the password in the variable of a proxy: as in its URL, and decoded, as it is sent. */
function hidePassword(variable, password) {
    hideAll(`The environment variable ${variable}`, maskWords, [password, (0,external_node_querystring_namespaceObject.unescape)(password)]);
}
/** The value of a header, and what is a secret of its own in it: behind a scheme, and behind names. */
function listParts({ value }) {
    const behindScheme = value.replace(/^\S+\s+/, '');
    const behindNames = value.split(/[;,]/).map((pair) => pair.slice(pair.indexOf('=') + 1));
    return [value, behindScheme, ...behindNames.map((part) => part.replaceAll('"', '').trim())];
}
function isUsable(secret) {
    return secret.length <= MAX_SECRET_CHARACTERS;
}
/** Hides secrets that are long enough. Throws an InputError if one is too long, after the others are hidden. */
function hideAll(source, hideOne, secrets, minCharacters = MIN_SECRET_CHARACTERS) {
    const usable = secrets.filter(isUsable);
    for (const secret of usable)
        if (secret.length >= minCharacters)
            hideOne(secret);
    if (usable.length === secrets.length)
        return;
    throw new InputError(`${source} has a secret of more than 16 KiB: check what it is set to.`);
}

;// CONCATENATED MODULE: ./lib/inputs/scalars.js




/** What to do about empty inputs: what is likely with them. docs/troubleshooting.md has the other expressions. */
const VARIABLE_FIX = 'Save a variable (no secret) for `vars.NAME`; check names after `inputs` or `matrix`.';
const SECRET_FIX = "Save a secret for `secrets.NAME`, or give this repository the organization's; pass it to a called workflow.";
const NAME_FIX = 'Check the names in its expression: a wrong one is empty.';
const COMPOSITE_FIX = 'Pass it on in the composite action of this step, and set it where that action is used.';
/** Returns the error for an empty input. A composite action has no secrets and variables, so only what it passes on can be wrong. */
function refuseEmpty(fault, fix) {
    // The runner sets this variable only in composite actions.
    const { GITHUB_ACTION_PATH: compositePath = '' } = process.env;
    return new InputError(fault, compositePath === '' ? fix : COMPOSITE_FIX);
}
/** The longest value that a message repeats; a UUID has 36 characters. */
const MAX_VALUE_CHARACTERS = 40;
const UUID = /^(?!0[0-]+$)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/**
 * Quotes a value for a message. A long one is not shown, because it may be a secret in the wrong input. If the message
 * were cut in it, the runner would not find the secret and not mask the rest.
 */
function quoteValue(text) {
    const { length } = text;
    return length > MAX_VALUE_CHARACTERS ? `a text of ${length} characters` : `'${text}'`;
}
/** What only an expression has, and no valid value: `inputs.dry`, `!contains(a)`, `a == b`. */
const scalars_EXPRESSION = /^!?[a-z]+[.(]|[!=]=/i;
/** Reads a boolean of YAML 1.2, `false` by default; any other text is a fault. */
function readFlag(faults, name) {
    const text = readInput(name, 'false');
    const isTrue = ['true', 'True', 'TRUE'].includes(text);
    const isValid = isTrue || ['false', 'False', 'FALSE'].includes(text);
    return faults.read(false, () => {
        if (isValid)
            return isTrue;
        throw refuseValue(name, 'true or false', text);
    });
}
/** Reads one of `values`, the first by default; any other text is a fault. */
function readChoice(faults, name, values) {
    const text = readInput(name, values[0]);
    return faults.read(values[0], () => {
        const value = values.find((candidate) => candidate === text);
        if (value !== undefined)
            return value;
        throw refuseValue(name, `one of ${values.join(', ')}`, text);
    });
}
/** Reads a whole number in decimal digits; one that is not from `min` to `max`, or any other text, is a fault. */
function readInteger(faults, name, fallback, min, max) {
    const text = readInput(name, String(fallback));
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return faults.read(fallback, () => {
        if (value >= min && value <= max)
            return value;
        throw refuseValue(name, `a whole number from ${min} to ${max}`, text);
    });
}
/**
 * Reads a scan key: a UUID of any version (interface document: format `uuid`), but not the nil UUID, which often means
 * that no value was set. Throws an InputError.
 */
function parseScanKey(text) {
    if (UUID.test(text))
        return text;
    if (text === '')
        throw refuseEmpty('`scan-key` is empty.', VARIABLE_FIX);
    const fault = findWrongSyntax(text);
    if (fault !== undefined)
        throw new InputError(`\`scan-key\` ${fault}`);
    // If they are swapped, the text is the token, and must not be shown.
    if (UUID.test(hideToken())) {
        throw new InputError('`scan-key` is not a UUID, but `token` is one: are they swapped?');
    }
    if (text.includes('://')) {
        throw new InputError('`scan-key` is an address: write only the UUID in it.');
    }
    const expected = 'a UUID (8-4-4-4-12 hexadecimal digits) that the service has issued';
    throw refuseValue('scan-key', expected, text);
}
function refuseValue(name, expected, text) {
    const fix = scalars_EXPRESSION.test(text) ? ' Write ${{ ... }} around the whole expression.' : '';
    return new InputError(`\`${name}\` must be ${expected}, not ${quoteValue(text)}.${fix}`);
}

;// CONCATENATED MODULE: ./lib/inputs/base-url.js





/** What an address must not have, and the name of a query's first parameter, unless that may be a part of a password. */
const FOREIGN = /([\s\p{Cc}\p{Cf}\\?#])(?:([a-z_-]{1,30})=[^=@][^@]*$)?/iu;
/**
 * Reads the address of the service: http(s), a host, and a path that stays in front of that of an operation. It is
 * undefined only in a dry run. Throws an InputError, which repeats nothing of a text with a password.
 */
function parseBaseUrl(text, allowHttp, dryRun) {
    if (text === '' && dryRun)
        return undefined;
    if (text === '')
        throw refuseEmpty('`base-url` is empty.', VARIABLE_FIX);
    const url = URL.parse(text) ?? undefined;
    const fault = findWrongSyntax(text) ?? findTextFault(text) ?? findUrlFault(url, allowHttp);
    if (fault !== undefined)
        throw new InputError(`\`base-url\` ${fault}`);
    return url;
}
/** What is wrong with the address that parsing would hide. */
function findTextFault(text) {
    // Parsing drops tabs, encodes other characters that nobody sees, and takes a backslash for a slash.
    const [, mark, name = mark] = FOREIGN.exec(text) ?? [];
    if (mark !== undefined)
        return describeForeign(mark, name);
    // The host is missing in `/api` and `https:///api`, where parsing would take `api` for it.
    const [, scheme, host] = /^(https?:\/\/)?([^/]*)/i.exec(text) ?? [];
    if (scheme !== undefined && host !== '')
        return undefined;
    const shown = text.includes('@') ? '' : `, not ${quoteValue(text)}`;
    const cause = host === '' ? ': the expression for the host is empty' : '';
    return `must begin with https:// and a host name${shown}${cause}.`;
}
/** What to do about the first character that an address must not have; of a query with the name of a parameter. */
function describeForeign(mark, name) {
    const known = {
        '?': `has a query (\`${name}\`): remove it; a key in it goes into \`headers\`.`,
        '#': "has a '#': write the address of the API, not that of a page.",
        '\\': "has a '\\': write '/'.",
    };
    return (known[mark] ??
        'has white space or an invisible character: remove it, or write %20 for a space that belongs to it.');
}
function findUrlFault(url, allowHttp) {
    if (url === undefined) {
        return 'is not a valid URL. Check its host and port; an IPv6 address needs brackets: https://[ADDRESS]:PORT.';
    }
    if (url.username !== '' || url.password !== '') {
        return 'has a user name or password: save the output of `printf %s USER:PASSWORD | base64 -w0` as `token`, and set `token-prefix: Basic`.';
    }
    if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
        return 'must begin with https://, because http:// sends the token and the files unencrypted. To allow that, set `allow-http: true`.';
    }
    if (!`${url.pathname}/`.includes(OPERATIONS_PATH))
        return undefined;
    return `must end before ${OPERATIONS_PATH}, which the action appends.`;
}

;// CONCATENATED MODULE: ./lib/inputs/proxy.js





/**
 * Finds the proxy for a URL as the toolkit does; undefined if there is none, or not for this host (`no_proxy`,
 * loopback). Throws an InputError for a value that cannot be parsed, which the toolkit ignores, and for a SOCKS proxy,
 * to which the toolkit would speak HTTP.
 */
function findProxy(url) {
    const lower = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
    const name = [lower, lower.toUpperCase()].find((variable) => readVariable(variable) !== '');
    if (name === undefined || checkBypass(url) || isListed(url))
        return undefined;
    const proxy = parseProxy(name);
    // A URL has them percent-encoded, but the header has them as they are.
    const pair = `${(0,external_node_querystring_namespaceObject.unescape)(proxy.username)}:${(0,external_node_querystring_namespaceObject.unescape)(proxy.password)}`;
    const authorization = pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`;
    const isMisspelledException = listExceptions().some((entry) => entry.includes('/') && parseAddress(entry)?.hostname === url.hostname);
    return { url: new URL(proxy.origin), authorization, isMisspelledException };
}
/** Hides the passwords in the variables of proxies. Throws an InputError if one is too long. */
function hidePasswords() {
    for (const name of ['https_proxy', 'http_proxy']) {
        readAddress(name);
        readAddress(name.toUpperCase());
    }
}
function readVariable(name) {
    return (process.env[name] ?? '').trim();
}
/** Whether `no_proxy` has the host in a form that Go reads and the toolkit does not: `*.a.example`, or addresses. */
function isListed({ hostname }) {
    return listExceptions().some((entry) => entry.startsWith('*.') ? hostname.endsWith(entry.slice(1)) : isInRange(hostname, entry));
}
function listExceptions() {
    const list = readVariable('no_proxy') || readVariable('NO_PROXY');
    return list.split(',').map((entry) => entry.trim().toLowerCase());
}
/** Whether `range`, such as `10.0.0.0/8` or a whole address, has an address. No name is looked up. */
function isInRange(hostname, range) {
    const [network = '', prefix] = stripBrackets(range).split('/');
    const family = network.includes(':') ? 'ipv6' : 'ipv4';
    const block = new external_node_net_namespaceObject.BlockList();
    try {
        if (prefix === undefined)
            block.addAddress(network, family);
        else
            block.addSubnet(network, Number.parseInt(prefix, 10), family);
    }
    catch {
        // The entry is a name, or nothing.
        return false;
    }
    return block.check(stripBrackets(hostname), family);
}
/** Returns an IPv6 address without the brackets that it has in a URL. */
function stripBrackets(host) {
    return host.replace('[', '').replace(']', '');
}
/** Reads the variable of a proxy, and hides its password. */
function readAddress(name) {
    const address = parseAddress(readVariable(name));
    if (address !== undefined)
        hidePassword(name, address.password);
    return address;
}
/** Parses a value as curl does: without a scheme it is `host:port` of an http proxy. */
function parseAddress(value) {
    try {
        // A Node that is too old for the action has no URL.parse, and must not show a password either.
        return new URL(value.includes('://') ? value : `http://${value}`);
    }
    catch {
        return undefined;
    }
}
function parseProxy(name) {
    const proxy = readAddress(name);
    const isHttp = proxy?.protocol === 'http:' || proxy?.protocol === 'https:';
    // If it has a path, the host may be the beginning of a password that is not encoded, and messages show the host.
    if (isHttp && `${proxy.pathname}${proxy.search}${proxy.hash}` === '/')
        return proxy;
    throw new InputError(`The environment variable ${name} must be http://HOST:PORT, without SOCKS or a path. In a password write / as %2F, ? as %3F, # as %23.`);
}

;// CONCATENATED MODULE: ./lib/inputs/credential.js









/** The prefixes of GitHub's tokens; they end in `_`, so that nothing else has them by chance. */
const GITHUB_TOKEN = /^(?:gh[opusr]|github_pat)_/;
/**
 * Reads `auth` and the inputs it needs. The interface names no scheme, so header and prefix are inputs. The audience
 * is the origin of `baseUrl` by default.
 */
function readCredential({ faults, dryRun }, baseUrl) {
    const kind = readChoice(faults, 'auth', ['token', 'oidc', 'none']);
    if (kind === 'none')
        return { kind };
    const name = readInput('token-header', 'Authorization');
    const header = faults.read('', () => parseTokenHeader(name));
    const prefix = faults.read('', () => readPrefix(name));
    if (kind === 'token') {
        const token = faults.read('', () => readValidToken(prefix, dryRun));
        return { kind, header, value: `${prefix}${token}` };
    }
    const audience = readInput('oidc-audience', baseUrl?.origin);
    // Without a source the job may not request an OIDC token. The upload reports that.
    const source = faults.read(undefined, readIdTokenSource);
    return { kind, header, prefix, audience, source };
}
/** Throws an InputError if a run for a fork got no credential, because that is why other inputs are empty too. */
async function checkFork() {
    const auth = readInput('auth', 'token');
    const credential = auth === 'oidc' ? hideRequestToken() : hideToken();
    if (auth === 'none' || credential !== '')
        return;
    const fork = await findFork();
    if (fork === 'head') {
        throw new InputError('This run is for a pull request from a fork.', [
            'Set `dry-run: ${{ github.event.pull_request.head.repo.fork == true }}`: such runs get no secrets, variables or OIDC token.',
        ]);
    }
    if (fork === undefined || auth === 'oidc')
        return;
    throw new InputError('`token` is empty: this repository is a fork, without the secrets and variables of its parent.', [
        "Add `if: github.repository == 'OWNER/REPO'` to the job, or save them in this repository too.",
    ]);
}
/** Reads and checks `token`. Throws an InputError, which does not show it. */
function readValidToken(prefix, dryRun) {
    const token = hideToken();
    if (token === '') {
        if (dryRun)
            return '';
        throw process.env.GITHUB_ACTOR === 'dependabot[bot]'
            ? new InputError('`token` is empty in a run for Dependabot: save it as a Dependabot secret too.')
            : refuseEmpty('`token` is empty.', SECRET_FIX);
    }
    const fault = findTokenFault(token, prefix);
    if (fault !== undefined)
        throw new InputError(`\`token\` ${fault}`);
    return token;
}
function findTokenFault(token, prefix) {
    if (GITHUB_TOKEN.test(token)) {
        return "is a GitHub token: use the service's credential, or `auth: oidc`. If the service takes GitHub tokens, write the header in `headers`, with `auth: none`.";
    }
    if (!isFieldValue(token)) {
        return 'has a line break, or another character that a header cannot carry: save only the token as the secret.';
    }
    if (prefix !== '' && token.toLowerCase().startsWith(prefix.toLowerCase())) {
        return `begins with '${prefix.trim()}', which \`token-prefix\` puts before it: remove it from the token, or set \`token-prefix: none\`.`;
    }
    return findWrongSyntax(token);
}
function readIdTokenSource() {
    const url = URL.parse(process.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '');
    const token = hideRequestToken();
    return url === null || token === '' ? undefined : { url, token, proxy: findProxy(url) };
}
/** Reads what stands before the credential: by default `Bearer` in `Authorization`, and nothing in other headers. */
function readPrefix(headerName) {
    const isAuthorization = headerName.toLowerCase().endsWith('authorization');
    const text = readInput('token-prefix', isAuthorization ? 'Bearer' : 'none');
    if (text === 'none')
        return '';
    if (isFieldValue(text))
        return `${text} `;
    throw new InputError('`token-prefix` has a character that a header cannot carry. Remove it.');
}

;// CONCATENATED MODULE: ./lib/files/paths.js

/** Whether paths have drives and backslashes, and names ignore case. */
const IS_WINDOWS = process.platform === 'win32';
/** Whether names are the same with composed and with decomposed letters. */
const IS_MACOS = process.platform === 'darwin';
/** Returns a path for messages. One in the workspace is relative to it and has `/` between names. */
function displayPath(path, workspace) {
    if (!isWithin(path, workspace))
        return path;
    return (0,external_node_path_namespaceObject.relative)(workspace, path).replaceAll(external_node_path_namespaceObject.sep, '/') || path;
}
/** Whether a path is a directory or below it. Both must be absolute and without links. */
function isWithin(path, directory) {
    const way = (0,external_node_path_namespaceObject.relative)(directory, path);
    return way !== '..' && !way.startsWith(`..${external_node_path_namespaceObject.sep}`) && !(0,external_node_path_namespaceObject.isAbsolute)(way);
}
/** Returns one text for all spellings of a name that a file system may take for the same, in case or composed letters. */
function foldSpelling(name) {
    return name.normalize().toLowerCase();
}

;// CONCATENATED MODULE: ./lib/files/patterns.js





/** What begins a wildcard. */
const WILDCARDS = /[[?*]/g;
/** Reads the patterns of an input, one in each line. `!` begins an exclusion, and `#` a comment. */
function parsePatterns(text) {
    return listLines(text)
        .filter((line) => !line.startsWith('#'))
        .map((line) => {
        const isExclusion = line.startsWith('!');
        return { text: isExclusion ? line.slice(1).trim() : line, isExclusion };
    });
}
/**
 * Returns a pattern with `/` between names and its start written out: the workspace for a relative one, the home
 * directory for `~`, and on Windows the current drive for `/`. Throws a StepError if the user has no home directory.
 */
function makeAbsolute(text, workspace) {
    const pattern = useSlashes(text);
    if (pattern === '~' || pattern.startsWith('~/')) {
        return `${escapePath(findHome(text))}${pattern.slice(1)}`;
    }
    // The workspace at the start of a pattern is literal, even if its name contains wildcards.
    const inside = `${useSlashes(workspace)}/`;
    const isInside = pattern.startsWith(inside);
    if ((0,external_node_path_namespaceObject.isAbsolute)(pattern) && !isInside) {
        const { root } = (0,external_node_path_namespaceObject.parse)(pattern);
        return `${useSlashes((0,external_node_path_namespaceObject.resolve)(root))}${pattern.slice(root.length)}`;
    }
    const below = isInside ? pattern.slice(inside.length) : pattern;
    // A leading `.` is the workspace itself; anywhere else it stays, and @actions/glob refuses it.
    return `${escapePath(workspace)}/${below.replace(/^\.(?:\/+|$)/, '')}`;
}
function findHome(text) {
    try {
        const home = (0,external_node_os_namespaceObject.homedir)();
        if ((0,external_node_path_namespaceObject.isAbsolute)(home))
            return home;
    }
    catch {
        // A user of a container may have neither HOME nor an entry in the list of users.
    }
    throw new StepError('files', `The pattern '${text}' begins with ~, but the user of this step has no home directory.`, 'Write an absolute path, or set the environment variable `HOME`.');
}
/** Whether a pattern may match several paths. */
function isWild(text) {
    return text.search(WILDCARDS) >= 0;
}
/** Returns a pattern that matches only this path. Brackets make wildcards literal, and `\` makes a `\` literal. */
function escapePath(path) {
    return useSlashes(IS_WINDOWS ? path : path.replaceAll('\\', '\\\\')).replace(WILDCARDS, '[$&]');
}
function useSlashes(path) {
    return IS_WINDOWS ? path.replaceAll('\\', '/') : path;
}

;// CONCATENATED MODULE: ./lib/formats/kinds.js
const REDIRECT_FIX = 'Write only the report to the file: by an option of the tool, or with `>` rather than `&>`, and `npm run --silent`.';
const COLOR_FIX = 'Set `NO_COLOR: 1` for the scan step, or correct INPUT.';
const KINDS = {
    // `Content.problem` says what is wrong with these.
    empty: {
        words: 'empty',
        level: 'error',
        fix: 'Fix the scan step. If its tool writes an empty file when it finds nothing, set `content-check: warn`.',
    },
    truncated: {
        level: 'error',
        fix: 'Fix the scan step: it failed, or is still writing the file.',
    },
    malformed: {
        level: 'error',
        fix: 'The tool wrote invalid JSON: update it, or report it to its authors.',
    },
    'colored-inside': { level: 'error', fix: COLOR_FIX },
    trailing: { level: 'error', fix: REDIRECT_FIX },
    appended: {
        level: 'error',
        fix: "Another report was in this file, or was written to it at the same time: give each job's file a name of its own (`merge-multiple`).",
    },
    'appended-sarif': {
        level: 'error',
        fix: "Several projects or tools of a build wrote this file at once: give each a file of its own (a relative `ErrorLog` is written beside each project), and each job's file a name of its own (`merge-multiple`).",
    },
    error: { level: 'error', fix: 'Fix the scan step: it failed.' },
    // Other JSON.
    scalar: {
        words: 'only a JSON string, number or boolean',
        level: 'error',
        fix: 'Let the scan step write its JSON as it is: JSON that is encoded twice is a string.',
    },
    null: {
        words: 'only `null`, as some tools write if they find nothing, and `jq` if a key is missing',
    },
    /** `{}` or `[]`. */
    bare: { words: 'JSON without content' },
    dsse: {
        words: 'a signed attestation (DSSE)',
        level: 'warning',
        fix: "Take the document out of it: `jq -r '.payload | @base64d | fromjson | .predicate'`.",
    },
    bundle: {
        words: 'a signed attestation (Sigstore bundle)',
        level: 'warning',
        fix: "Take the document out of it: `jq -r '.dsseEnvelope.payload | @base64d | fromjson | .predicate'`.",
    },
    // What is neither JSON nor XML.
    'utf-16': {
        words: "UTF-16 text, as Windows PowerShell's > writes it: write it with Out-File -Encoding utf8",
        level: 'error',
        fix: 'Let the scan step write UTF-8.',
    },
    lfs: { words: 'a Git LFS pointer', level: 'error', fix: 'Set `lfs: true` at the checkout.' },
    mixed: { words: 'text with JSON after it', level: 'error', fix: REDIRECT_FIX },
    script: {
        words: 'JavaScript with JSON in it',
        level: 'text',
        fix: 'Remove its first line: `tail -n +2`.',
    },
    around: { words: 'text with JSON in it', level: 'text', fix: REDIRECT_FIX },
    colored: {
        words: 'text with terminal colours (escape sequences)',
        level: 'text',
        fix: COLOR_FIX,
    },
    html: { words: 'a web page (HTML)', level: 'text' },
    text: { words: 'text', level: 'text' },
    gzip: {
        words: 'gzip-compressed data',
        fix: 'Decompress it before this step (`gunzip`), and name the result in INPUT.',
    },
    zip: {
        words: 'a ZIP archive',
        fix: 'Decompress it before this step (`unzip`), and name the result in INPUT.',
    },
    nul: { words: 'data with a NUL byte' },
    binary: { words: 'binary data' },
};
/** The row of a kind; an empty one for a file that has none. */
function findKind(name) {
    return name === undefined ? {} : KINDS[name];
}

;// CONCATENATED MODULE: ./lib/formats/severity.js
/** The severities, worst first; `none` is everything below low, such as info or negligible. */
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'none', 'unknown'];
/** What tables and lines of the log call them. */
const HEADINGS = {
    critical: 'Critical',
    high: 'High',
    medium: 'Medium',
    low: 'Low',
    none: 'Info',
    unknown: 'Unrated',
};
/** The lowest score of each severity (CVSS 3.1, section 5) and the words for it, worst first. */
const MEANINGS = [
    ['critical', 9, 'critical'],
    ['high', 7, 'high', 'important', 'error'],
    ['medium', 4, 'medium', 'moderate', 'warning'],
    ['low', 0.1, 'low', 'note'],
    ['none', 0, 'info', 'informational', 'negligible', 'style', 'none'],
];
const SCORE = /^\d{1,2}(?:\.\d+)?$/;
/** The severity of a scanner's word or of a CVSS score (`9.8`); `unknown` for any other text, and for none. */
function parseSeverity(text = '') {
    const word = text.trim().toLowerCase();
    const score = SCORE.test(word) && Number(word) <= 10 ? Number(word) : undefined;
    const meaning = MEANINGS.find(([, lowest, ...words]) => score === undefined ? words.includes(word) : score >= lowest);
    return meaning?.[0] ?? 'unknown';
}
/** The worst of several severities, each as a scanner states it; `unknown` only if all are. */
function findWorst(texts) {
    const stated = new Set(texts.map(parseSeverity));
    return SEVERITIES.find((severity) => stated.has(severity)) ?? 'unknown';
}
function countSeverities(findings) {
    const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
    for (const severity of findings)
        counts[severity] += 1;
    return counts;
}

;// CONCATENATED MODULE: ./lib/formats/format.js


// What these members cannot say of some formats.
/** Reads the components of an SBOM, which may leave out their list if there are none. */
function listComponents(...paths) {
    return (document) => {
        const lists = paths.flatMap((path) => values_select(document, path)).filter((list) => list !== null);
        return lists.every(Array.isArray) ? lists.flat() : undefined;
    };
}
const PACKAGES = ['Package', 'software_Package', 'ai_AIPackage', 'dataset_DatasetPackage'];
/** The packages of SPDX 2, and those among all elements of SPDX 3. */
function listSpdxPackages(document) {
    const elements = listComponents('packages', 'sbom/packages', '@graph')(document);
    return elements?.filter((element) => PACKAGES.includes(findText(element, 'type') ?? 'Package'));
}
const TRIVY_CLUSTER = ['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'];
const TRIVY_CLUSTER_SIGNS = TRIVY_CLUSTER.map((each) => `ClusterName ${each}`);
const TRIVY_TARGETS = ['Results', ...TRIVY_CLUSTER.map((each) => `${each}/Results`)];
const TRIVY_FINDINGS = ['Vulnerabilities', 'Secrets', 'Licenses', 'Misconfigurations'];
const TRIVY_LISTS = ['', ...TRIVY_TARGETS.map((each) => `${each}/`)].flatMap((targets) => TRIVY_FINDINGS.map((list) => `${targets}${list}`));
/** A scan of a cluster has an error for each resource that it could not read. */
const TRIVY_ERRORS = {
    at: TRIVY_CLUSTER,
    words: 'Error',
    about: 'Name',
    all: TRIVY_CLUSTER.map((each) => `${each}/Name`),
};
/** A target is in a report, in the list of versions before 0.20, or in a report of a cluster. */
function readTrivy(document) {
    const targets = Array.isArray(document) ? document : selectListed(document, ...TRIVY_TARGETS);
    return selectListed(targets, ...TRIVY_FINDINGS)
        ?.filter((finding) => !['PASS', 'EXCEPTION'].includes(findText(finding, 'Status') ?? ''))
        .map((finding) => findWorst(selectTexts(finding, 'Severity')));
}
/**
 * The severity is that of the advisory's database, or the score of the vulnerability's group, whichever is worse.
 * Violations of licences have none.
 */
function readOsvScanner(document) {
    return selectListed(document, 'results/packages')?.flatMap((each) => {
        const scores = new Map();
        for (const group of selectItems(each, 'groups')) {
            const worst = findWorst(selectTexts(group, 'max_severity'));
            for (const id of selectTexts(group, 'ids'))
                scores.set(id, worst);
        }
        const rated = selectItems(each, 'vulnerabilities').map((row) => {
            const score = scores.get(findText(row, 'id') ?? '') ?? '';
            return findWorst([...selectTexts(row, 'database_specific/severity'), score]);
        });
        return [...rated, ...selectItems(each, 'license_violations').map(() => 'unknown')];
    });
}
/** The failed checks of a framework, or none by the summary that is all of a report without resources. */
function readCheckov(document) {
    if (hasSign(document, 'failed=0'))
        return [];
    return selectListed(document, 'results/failed_checks')?.map((check) => findWorst(selectTexts(check, 'severity')));
}
/** The severities of an alert's codes; its description is translated. */
const ZAP_SEVERITIES = ['info', 'low', 'medium', 'high'];
function readZap(document) {
    return selectListed(document, 'site/alerts')?.map((alert) => findWorst(selectTexts(alert, 'riskcode').map((code) => ZAP_SEVERITIES[Number(code)] ?? '')));
}
/**
 * A vulnerability has a finding for each module, package and symbol. Messages without any may be those of a scan that
 * ended early; the object is written at the end.
 */
function readGovulncheck(document) {
    const ids = [...selectTexts(document, 'finding/osv'), ...selectTexts(document, 'Vulns/OSV/id')];
    if (ids.length === 0 && Array.isArray(document))
        return undefined;
    return Array.from(new Set(ids), () => 'unknown');
}
/** The advisories of a list, or of one line of a stream. Only the summary says that there are none. */
function readYarn(document) {
    const advisories = ['data/advisory', 'children'].flatMap((path) => selectItems(document, path));
    const counts = selectTexts(document, 'data/vulnerabilities/*');
    const isClean = counts.length > 0 && counts.every((count) => count === '0');
    if (advisories.length === 0 && !isClean)
        return undefined;
    return advisories.map((each) => findWorst([...selectTexts(each, 'severity'), ...selectTexts(each, 'Severity')]));
}

;// CONCATENATED MODULE: ./lib/formats/package-audits.js

const YARN_SIGNS = [
    'type=auditAdvisory data/advisory',
    'type=auditSummary data/vulnerabilities',
    'value children/Severity children/Issue',
];
/** The audits of package managers: the last rows of the table. */
const PACKAGE_AUDITS = {
    // An object, or the list of dependencies of earlier versions.
    'pip-audit': {
        label: 'pip-audit',
        isUnrated: true,
        signs: ['dependencies/name dependencies/vulns', 'dependencies fixes'],
        listSigns: ['name version vulns'],
        lists: ['dependencies/vulns', 'vulns'],
        otherLists: ['fixes'],
        errors: [
            {
                at: ['dependencies', ''],
                words: 'skip_reason',
                about: 'name',
                all: ['dependencies/name', 'name'],
            },
        ],
        read: ['dependencies'],
    },
    // The dependency scan of .NET. A vulnerability is listed once for each project and framework.
    'dotnet-list': {
        label: 'dotnet list package',
        signs: ['projects parameters*=--vulnerable'],
        lists: [
            'projects/frameworks/topLevelPackages/vulnerabilities',
            'projects/frameworks/transitivePackages/vulnerabilities',
        ],
        otherLists: ['sources'],
        severity: 'severity',
        errors: [
            {
                at: ['problems'],
                level: 'level',
                harmless: ['warning'],
                about: 'project',
                all: ['projects/path', 'problems/project'],
            },
        ],
        read: ['projects'],
    },
    // Warnings, such as of unmaintained crates, are not counted. It states vectors, not severities.
    'cargo-audit': {
        label: 'cargo-audit',
        isUnrated: true,
        signs: ['lockfile/dependency-count vulnerabilities/list'],
        lists: ['vulnerabilities/list'],
        read: ['lockfile/dependency-count'],
    },
    // A stream or list of messages, or the object of versions before 1.0.
    govulncheck: {
        label: 'govulncheck',
        isUnrated: true,
        isStream: true,
        signs: ['Calls Imports Requires Vulns'],
        listSigns: ['config/scanner_name*=govulncheck'],
        toolVersion: ['config/scanner_version'],
        findings: readGovulncheck,
        lists: ['Vulns'],
        otherLists: ['Modules'],
    },
    // A line of the stream may be alone: an advisory or the summary of yarn 1, or an advisory of later ones, which
    // is listed for each path to its package.
    'yarn-audit': {
        label: 'yarn audit',
        isStream: true,
        signs: YARN_SIGNS,
        listSigns: YARN_SIGNS,
        findings: readYarn,
        read: ['data/totalDependencies'],
    },
};

;// CONCATENATED MODULE: ./lib/formats/sarif.js


// SARIF 2.1.0: the sections are those of its specification.
/**
 * The results of all runs that are findings; undefined of versions before 2.1, whose members differ, and if no run has a
 * list of results.
 */
function readSarif(document) {
    const runs = selectItems(document, 'runs');
    const isEarlier = isEarlierSarif(findText(document, 'version'));
    if (isEarlier || !runs.some(hasResults))
        return undefined;
    return runs.flatMap((run) => {
        const rules = readRules(run);
        return selectItems(run, 'results')
            .filter(isFinding)
            .map((result) => {
            const rule = findRule(result, rules);
            return rateResult(result, rule?.score, rule?.level);
        });
    });
}
/** Whether a version is before 2.1. */
function isEarlierSarif(version = '') {
    return /^(?:1|2\.0)\./.test(version);
}
function hasResults(run) {
    return values_select(run, 'results').some(Array.isArray);
}
/** What results have that passed or are absent, and those with suppressions of which one is not accepted (3.35.3). */
const NO_FINDING = ['kind=pass', 'kind=notApplicable', 'baselineState=absent'];
const NOT_ACCEPTED = ['suppressions/status=underReview', 'suppressions/status=rejected'];
/** Whether a result is a finding. */
function isFinding(result) {
    if (NO_FINDING.some((sign) => hasSign(result, sign)))
        return false;
    const isSuppressed = selectItems(result, 'suppressions').length > 0;
    return !isSuppressed || NOT_ACCEPTED.some((sign) => hasSign(result, sign));
}
/** The score of its rule, which code scanning reads too, or the level of a result or its rule (3.27.10). */
function rateResult(result, score = 'unknown', level = 'warning') {
    if (score !== 'unknown')
        return score;
    const isFailure = (findText(result, 'kind') ?? 'fail') === 'fail';
    return parseSeverity(findText(result, 'level') ?? (isFailure ? level : 'none'));
}
/** What a rule says of its results. */
function readRule(rule) {
    return {
        id: findText(rule, 'id'),
        score: parseSeverity(findText(rule, 'properties/security-severity')),
        level: findText(rule, 'defaultConfiguration/level') ?? 'warning',
        tags: selectTexts(rule, 'properties/tags'),
    };
}
/** Reads the rules of a run's tool. */
function readRules(run) {
    const components = [values_select(run, 'tool/driver')[0], ...values_select(run, 'tool/extensions').flat()];
    const rules = components.flatMap((component, number) => values_select(component, 'rules')
        .flat()
        .map(readRule)
        .flatMap((rule, index) => [`${number}#${index}`, `${number}/${rule.id}`, `/${rule.id}`].map((key) => [key, rule])));
    return new Map(rules.toReversed());
}
/** The rule of a result, by its index or its id (3.27.5 to 3.27.7) in the driver, or in the extension that it names. */
function findRule(result, rules) {
    const component = Number(findText(result, 'rule/toolComponent/index') ?? -1) + 1;
    const indexed = rules.get(`${component}#${findText(result, 'rule/index', 'ruleIndex')}`);
    const id = findText(result, 'ruleId', 'rule/id');
    if (id === undefined)
        return indexed;
    // It may have one part more than that of its rule.
    const ids = [id, id.split('/').slice(0, -1).join('/')];
    // An index may be stale: it counts if the rule there has the id, or if none has.
    if (ids.some((each) => each === indexed?.id))
        return indexed;
    const keys = [`${component}/`, '/'].flatMap((start) => ids.map((each) => start + each));
    return keys.map((key) => rules.get(key)).find((rule) => rule !== undefined) ?? indexed;
}

;// CONCATENATED MODULE: ./lib/formats/build-errors.js



// What .NET's compilers, and Roslynator, say of a build among the results of its analyzers: those of a project that does not
// compile did not run, or in part, although the log states that the build was successful.
/** How the names of these tools begin. Only compilers write rules. */
const COMPILER = 'Microsoft (R) Visual ';
const TOOLS = [COMPILER, 'Roslynator'];
/** The tags of a compiler's own errors: a warning that is an error in this project can be configured. */
const ERROR_TAGS = ['Compiler', 'NotConfigurable'];
/** The ids of a compiler's errors, to which Roslynator gives no text. */
const ERROR_ID = /^(?:CS|BC)\d+$/;
/** The rules of a compiler by which analyzers were not loaded, or threw. */
const UNLOADED = 'CS8032 CS8033 CS8034 CS8850 CS9057 BC42376 BC42377 BC42378 AD0001'.split(' ');
/** Whether a tool is one of .NET's compilers. */
function isCompiler(tool) {
    return tool.startsWith(COMPILER);
}
/** Reads what a SARIF log says of its builds. A scan failed by the errors of compilers, unless it has other runs. */
function readBuildErrors(document) {
    const runs = selectItems(document, 'runs');
    const builds = runs.filter(isBuild).map(readBuild);
    const failed = builds.filter(({ errors }) => errors.length > 0);
    return [
        ...stateErrors(failed.flatMap(({ errors }) => errors), failed.length === runs.length),
        ...stateErrors(builds.flatMap(({ unloaded }) => unloaded), false),
    ];
}
function isBuild(run) {
    const name = findText(run, 'tool/driver/name');
    return TOOLS.some((tool) => name?.startsWith(tool));
}
/** The results that are errors of the compiler, and those that say that an analyzer did not run. */
function readBuild(run) {
    const rules = readRules(run);
    const results = selectItems(run, 'results').filter(isFinding);
    return {
        errors: results.filter((each) => isError(each, findRule(each, rules))),
        unloaded: results.filter((each) => UNLOADED.includes(findRule(each, rules)?.id ?? '')),
    };
}
function isError(result, rule) {
    if (!hasSign(result, 'level=error'))
        return false;
    if (rule !== undefined)
        return ERROR_TAGS.every((tag) => rule.tags.includes(tag));
    const isCompilers = ERROR_ID.test(findText(result, 'ruleId') ?? '');
    return isCompilers && findText(result, 'message/text') === undefined;
}
/** The first line of the text of the first result, or its id, and how many there are; nothing if there are none. */
function stateErrors(results, isFatal) {
    const [line] = listLines(findText(results[0], 'message/text', 'ruleId') ?? '');
    return results.slice(0, 1).map(() => ({ count: results.length, isFatal, words: line ?? '' }));
}

;// CONCATENATED MODULE: ./lib/formats/standards.js



/** The formats of SBOMs, and that of reports of any tool: the first rows of the table. */
const STANDARDS = {
    // 1.0 to 2.0; from 1.5 on tools may be components. Documents are counted at their top level.
    cyclonedx: {
        label: 'CycloneDX',
        holds: 'either',
        isStandard: true,
        signs: ['bomFormat=CycloneDX', 'specFormat=CycloneDX'],
        xml: 'http://cyclonedx.org/schema/bom/',
        specVersion: ['specVersion'],
        tools: ['metadata/tools', 'metadata/tools/components'],
        components: listComponents('components'),
        lists: ['vulnerabilities'],
        severity: 'ratings/severity',
        // Trivy writes an empty list in an SBOM, for which it looks for no vulnerabilities by default.
        otherSigns: ['metadata/tools/name=trivy', 'metadata/tools/components/name=trivy'],
        subject: ['metadata/component/name'],
    },
    // SPDX 2, also in what GitHub exports, and SPDX 3 in JSON-LD, with all elements in one list.
    spdx: {
        label: 'SPDX',
        holds: 'SBOM',
        isStandard: true,
        signs: ['spdxVersion', 'sbom/spdxVersion', '@context*=spdx.org/rdf/3'],
        specVersion: ['spdxVersion', 'sbom/spdxVersion', '@graph/specVersion'],
        tools: ['creationInfo/creators', 'sbom/creationInfo/creators'],
        components: listSpdxPackages,
        subject: ['name', 'sbom/name'],
    },
    syft: {
        label: 'Syft',
        holds: 'SBOM',
        signs: ['artifacts descriptor/name=syft'],
        specVersion: ['schema/version'],
        tools: ['descriptor'],
        components: listComponents('artifacts'),
        subject: [
            'source/name',
            'source/target/userInput',
            'source/target',
            'source/metadata/userInput',
        ],
    },
    sarif: {
        label: 'SARIF',
        isStandard: true,
        signs: ['runs/tool/driver/name', 'runs $schema*=sarif', 'runs version*=2.1.0'],
        specVersion: ['version'],
        // Before 2.1 a tool had no driver.
        tools: ['runs/tool/driver', 'runs/tool'],
        findings: readSarif,
        scores: [
            'runs/tool/driver/rules/properties/security-severity',
            'runs/tool/extensions/rules/properties/security-severity',
        ],
        // Results may be in other places (3.13.5, 3.14.2).
        otherSigns: ['inlineExternalProperties/results', 'runs/externalPropertyFileReferences/results'],
        noListSigns: ['runs!results'],
        errors: [
            {
                at: ['runs/invocations/toolExecutionNotifications'],
                level: 'level',
                about: 'locations/physicalLocation/artifactLocation/uri',
                isOfRules: ['associatedRule'],
            },
            { at: ['runs/invocations/toolConfigurationNotifications'], level: 'level' },
        ],
        failedSigns: ['runs/invocations/executionSuccessful=false'],
        readErrors: readBuildErrors,
    },
};

;// CONCATENATED MODULE: ./lib/formats/registry.js



/** What a dependency has in a report of OWASP Dependency-Check. */
const DEPENDENCY_LISTS = 'packages includedBy projectReferences relatedDependencies vulnerabilityIds suppressedVulnerabilities suppressedVulnerabilityIds'.split(' ');
/** What Checkov says of how much it read, in a report or in the summary that is all if there was nothing. */
const CHECKOV_COUNTS = ['passed', 'failed', 'skipped', 'resource_count'].flatMap((name) => [
    name,
    `summary/${name}`,
]);
/** All formats that are recognised; a document has the first one whose signs it has. */
const KNOWN = {
    ...STANDARDS,
    trivy: {
        label: 'Trivy',
        signs: ['SchemaVersion ArtifactName', 'SchemaVersion Results', ...TRIVY_CLUSTER_SIGNS],
        listSigns: ['Target Type'],
        specVersion: ['SchemaVersion'],
        toolVersion: ['Trivy/Version'],
        findings: readTrivy,
        lists: TRIVY_LISTS,
        otherLists: ['Packages', 'CustomResources', 'ModifiedFindings', 'ExperimentalModifiedFindings'],
        errors: [TRIVY_ERRORS],
        subject: ['ArtifactName', 'ClusterName'],
    },
    grype: {
        label: 'Grype',
        signs: ['matches descriptor/name=grype', 'matches/vulnerability/id matches/artifact'],
        tools: ['descriptor'],
        lists: ['matches'],
        otherLists: ['ignoredMatches'],
        severity: 'vulnerability/severity',
        errors: [{ at: ['descriptor/db/error', 'descriptor/db/status/error'], isFatal: true }],
        subject: ['source/target/userInput', 'source/target'],
    },
    'osv-scanner': {
        label: 'OSV-Scanner',
        signs: ['results/packages results/source', 'results experimental_config'],
        findings: readOsvScanner,
        lists: ['results/packages/vulnerabilities', 'results/packages/license_violations'],
        otherLists: ['groups', 'licenses', 'dependency_groups', 'license_summary'],
    },
    // npm 7 and later, and the format of npm 6, which pnpm still writes.
    'npm-audit': {
        label: 'npm audit',
        signs: ['auditReportVersion vulnerabilities', 'advisories metadata/vulnerabilities'],
        specVersion: ['auditReportVersion'],
        lists: ['vulnerabilities/*', 'advisories/*'],
        otherLists: ['actions', 'muted'],
        severity: 'severity',
        read: ['metadata/dependencies/total'],
    },
    // Of a project, of an image with its applications, or of infrastructure. A vulnerability is listed once for each
    // dependency path to it.
    snyk: {
        label: 'Snyk',
        isList: true,
        signs: ['vulnerabilities ok dependencyCount', 'vulnerabilities/id*=SNYK-'],
        lists: ['vulnerabilities', 'applications/vulnerabilities', 'infrastructureAsCodeIssues'],
        otherLists: ['infrastructureAsCodeSuccesses'],
        severity: 'severity',
        otherSigns: ['ok=false'],
        errors: [{ at: [''], words: 'error', about: 'path' }],
        // Infrastructure has a type, and no dependencies.
        read: ['dependencyCount', 'applications/dependencyCount', 'projectType'],
        subject: ['projectName'],
    },
    // Suppressed findings are in another place and are not counted.
    'dependency-check': {
        label: 'OWASP Dependency-Check',
        signs: ['reportSchema scanInfo/engineVersion'],
        xml: '/DependencyCheck/dependency-check.',
        specVersion: ['reportSchema'],
        toolVersion: ['scanInfo/engineVersion'],
        lists: ['dependencies/vulnerabilities'],
        otherLists: DEPENDENCY_LISTS,
        severity: 'severity',
        errors: [{ at: ['scanInfo/analysisExceptions'], isFatal: true }],
        read: ['dependencies'],
        subject: ['projectInfo/name'],
    },
    // Opengrep too. Ignored findings are not in the report.
    semgrep: {
        label: 'Semgrep',
        signs: ['results/check_id results/extra', 'results errors paths/scanned'],
        toolVersion: ['version'],
        lists: ['results'],
        otherLists: ['skipped_rules', 'interfile_languages_used', 'explanations'],
        severity: 'extra/severity',
        errors: [
            {
                at: ['errors'],
                level: 'level',
                all: ['paths/scanned'],
                about: 'path',
                isPart: ['type=PartialParsing', 'type=SemgrepWarning'],
                isOfRules: ['spans/file'],
            },
        ],
        read: ['paths/scanned'],
    },
    // Only its platform knows severities.
    checkov: {
        label: 'Checkov',
        isUnrated: true,
        isList: true,
        signs: ['check_type results/failed_checks', 'checkov_version passed failed'],
        toolVersion: ['checkov_version', 'summary/checkov_version'],
        findings: readCheckov,
        lists: ['results/failed_checks'],
        otherLists: ['passed_checks', 'skipped_checks'],
        // Resources that were read, but checked by no rule, are no scan beside errors.
        errors: [
            {
                at: ['results/parsing_errors', 'summary/parsing_errors', 'parsing_errors'],
                read: ['summary/passed', 'summary/failed', 'passed', 'failed'],
            },
        ],
        read: CHECKOV_COUNTS,
    },
    // Version 8, and earlier ones.
    gitleaks: {
        label: 'Gitleaks',
        isUnrated: true,
        listSigns: ['RuleID Secret StartLine', 'offender rule commitMessage'],
        lists: [''],
    },
    // Other tools have `results` too, but not its metrics.
    bandit: {
        label: 'Bandit',
        signs: ['metrics/_totals results'],
        lists: ['results'],
        severity: 'issue_severity',
        errors: [{ at: ['errors'], about: 'filename', all: ['metrics/#'] }],
        read: ['metrics/_totals/loc'],
    },
    // As GitLab's own analysers and other tools write it; `scan` since version 3.
    gitlab: {
        label: 'GitLab security report',
        signs: [
            'version vulnerabilities scan/type scan/scanner',
            'version vulnerabilities remediations',
        ],
        specVersion: ['version'],
        tools: ['scan/scanner'],
        lists: ['vulnerabilities'],
        otherLists: ['remediations', 'dependency_files', 'site', 'spider'],
        severity: 'severity',
        errors: [{ at: ['scan/messages'], level: 'level' }],
        failedSigns: ['scan/status=failure'],
        read: ['scan/scanned_resources'],
    },
    // The traditional report, with or without requests and responses. An alert has any number of instances.
    zap: {
        label: 'OWASP ZAP',
        signs: [
            '@programName*=ZAP site/alerts',
            '@version @generated site/alerts',
            '@version @generated site site!alerts',
        ],
        xml: '<OWASPZAPReport',
        toolVersion: ['@version'],
        findings: readZap,
        lists: ['site/alerts'],
        otherLists: ['insights'],
        read: ['site'],
        subject: ['site/@name'],
    },
    ...PACKAGE_AUDITS,
};
const isKnown = (name) => Object.hasOwn(KNOWN, name);
const FORMATS = Object.keys(KNOWN)
    .filter(isKnown)
    .map((name) => ({ ...KNOWN[name], name }));
/** The format of this name; undefined for `json`, `xml`, `empty` and `unknown`. */
function findFormat(name) {
    return FORMATS.find((format) => format.name === name);
}

;// CONCATENATED MODULE: ./lib/formats/content.js


/** How much is read at the beginning and at the end of a file that is not parsed whole, in bytes or UTF-16 code units. */
const END_LENGTH = 64 * 1024;
/** Adds what a document is by the facts that were read of it. */
function conclude(facts) {
    return { ...facts, role: facts.role ?? findRole(facts) };
}
function findRole({ format, components = 0, vulnerabilities = 0 }) {
    const known = findFormat(format);
    if (known?.holds !== 'either')
        return known && (known.holds ?? 'report');
    if (components > 0)
        return vulnerabilities > 0 ? 'both' : 'SBOM';
    return vulnerabilities > 0 ? 'report' : undefined;
}
/** Whether a file is JSON, well-formed or not. */
function isJson({ syntax }) {
    return syntax === 'json' || syntax === 'ndjson';
}
/** Whether it is known what a document is: by its format, or as an SBOM of another one. */
function isRecognised({ format, role }) {
    return role !== undefined || findFormat(format) !== undefined;
}
/** Whether a document of a known format is an SBOM without a list of vulnerabilities, even an empty one. */
function isBareSbom({ format, role, vulnerabilities }) {
    return role === 'SBOM' && vulnerabilities === undefined && findFormat(format) !== undefined;
}
/** What a stream of JSON documents is, whatever their format. */
const STREAM = 'several JSON documents one after the other';
/** Describes what a file was recognised as: `CycloneDX 1.6`, `SPDX-2.3`, `Trivy (schema 2)`, `JSON of no known format`. */
function describeContent({ format: name, specVersion, kind, syntax }) {
    const { words } = findKind(kind);
    if (words !== undefined)
        return words;
    const format = findFormat(name);
    if (format === undefined) {
        return syntax === 'ndjson' ? STREAM : `${name.toUpperCase()} of no known format`;
    }
    const { label, isStandard } = format;
    if (specVersion === undefined)
        return label;
    if (specVersion.startsWith(label))
        return specVersion;
    return isStandard ? `${label} ${specVersion}` : `${label} (schema ${specVersion})`;
}
/** What a document with components lacks to be a report. */
function describeGap({ mayBeReport }) {
    const cause = mayBeReport ? ': the tool found none, or wrote only an SBOM' : '';
    return `no list of vulnerabilities${cause}`;
}

;// CONCATENATED MODULE: external "node:buffer"
const external_node_buffer_namespaceObject = require("node:buffer");
;// CONCATENATED MODULE: ./lib/json-syntax.js

/** A stream is recognised by this many documents: those of yarn may follow its notices. */
const MAX_DOCUMENTS = 10;
/** How an object, or a list of objects, lists or texts begins: unlike `[1] a` or `[INFO] a`. */
const BEGINNING = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[{["\]]|$))/;
/** Whether a text that is not JSON was meant to be. */
function isJsonLike(text) {
    return BEGINNING.test(text);
}
/** JSON that begins in a later line. */
const LATER = /\n(?:\{\s*"|\[\s*[{\]])/;
/** Where JSON begins in a later line of a text, such as after what a tool wrote to its error output; -1 if nowhere. */
function findLaterJson(text) {
    return text.search(LATER);
}
/** Whether the last character of a text closes a list or an object. */
function endsLikeJson(text) {
    return ['}', ']'].includes(text.trimEnd().slice(-1));
}
/** A token (RFC 8259); of a string its first quote. */
const TOKEN = /[{}[\],:"]|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A piece of a string: an escape, or what needs none. */
const STRING_PIECE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})|[ !#-[\]-\uffff]+/y;
/** The tokens that may come next, by what was read before; `0` stands for any number or literal. */
const NEXT = {
    document: '{[',
    value: '{["0',
    'value or end': '{["]0',
    'name or end': '"}',
    name: '"',
    colon: ':',
    'comma or }': ',}',
    'comma or ]': ',]',
};
/**
 * Parses the objects and lists that a text has one after the other, a text that JSON.parse refuses or the beginning of
 * one, and finds where it stops being JSON: JSON.parse does not say where each error is, and says it in words that differ
 * between versions.
 */
function parseDocuments(text) {
    const documents = [];
    const open = [];
    let next = 'document';
    let end = 0;
    let at = skipSpace(text, 0);
    while (at < text.length) {
        TOKEN.lastIndex = at;
        const [token] = TOKEN.exec(text) ?? [];
        if (token === undefined || !NEXT[next].includes(toKind(token)))
            break;
        at += token.length;
        if (token === '"') {
            at = skipPieces(text, at);
            if (text.charAt(at) !== '"')
                break;
            at += 1;
        }
        next = advance(token, next, open);
        if (next === 'document') {
            if (documents.length < MAX_DOCUMENTS)
                documents.push(tryJson(text.slice(end, at)));
            end = at;
        }
        at = skipSpace(text, at);
    }
    const isWhole = at === text.length && next === 'document' && end > 0;
    return { documents, error: isWhole ? undefined : findError(text, at, end) };
}
function toKind(token) {
    return '{}[],:"'.includes(token) ? token : '0';
}
/** The end of the pieces of a string. */
function skipPieces(text, start) {
    let at = start;
    STRING_PIECE.lastIndex = at;
    while (STRING_PIECE.test(text))
        at = STRING_PIECE.lastIndex;
    return at;
}
/** What may come after a token; `open` are the brackets that are open. */
function advance(token, was, open) {
    if (token === ':')
        return 'value';
    if (token === ',')
        return open.at(-1) === '{' ? 'name' : 'value';
    if (token === '"' && (was === 'name' || was === 'name or end'))
        return 'colon';
    if (token === '{' || token === '[')
        open.push(token);
    if (token === '{')
        return 'name or end';
    if (token === '[')
        return 'value or end';
    if (token === '}' || token === ']')
        open.pop();
    if (open.length === 0)
        return 'document';
    return open.at(-1) === '{' ? 'comma or }' : 'comma or ]';
}
/** What may be the beginning of a number, a literal or an escape, at the end of a text. */
const HALF = /^[\w.+\\-]{0,24}\s*$/;
/** The error of a text that stops being JSON at `position`, after documents that end at `end`. */
function findError(text, position, end) {
    const start = skipSpace(text, end);
    if (end > 0 && !isJsonLike(text.slice(start)))
        return { type: 'trailing', position: start };
    return { type: HALF.test(text.slice(position)) ? 'truncated' : 'malformed', position };
}
function skipSpace(text, start) {
    let at = start;
    while (at < text.length && ' \t\r\n'.includes(text.charAt(at)))
        at += 1;
    return at;
}

;// CONCATENATED MODULE: ./lib/formats/statement.js



/** The levels of errors: those of a scan that failed, and those of what is no error. Any other is of a part. */
const FATAL_LEVELS = ['error', 'fatal', 'critical'];
const HARMLESS_LEVELS = ['note', 'none', 'info', 'debug'];
/** Where an error has its words, if its column does not say it. */
const statement_WORDS = 'message/text message reason value exception/message long_msg short_msg text type descriptor/id'.split(' ');
/** What a document with these findings says of its own scan, and of what was scanned. */
function readStatement(format, document, findings) {
    const stated = listErrors(format, document);
    const first = stated.find(({ isFatal }) => isFatal) ?? stated[0];
    const name = findLine(document, ...(format.subject ?? []));
    if (first === undefined) {
        const isIdle = findings.length === 0 && hasReadNothing(document, format.read);
        return { subject: name, scan: isIdle ? 'idle' : undefined };
    }
    return {
        subject: name,
        scan: first.isFatal ? 'failed' : 'partial',
        firstError: joinWhiteSpace(first.words),
        errors: stated.reduce((sum, { count }) => sum + count, 0),
    };
}
/** The errors that a document states of its own scan, in the order of their columns. */
function listErrors(format, document) {
    const { errors = [], failedSigns = [], readErrors } = format;
    const signs = failedSigns.filter((sign) => hasSign(document, sign));
    return [
        ...errors.flatMap((column) => readColumn(column, format, document)),
        ...signs.map((sign) => ({
            count: 1,
            isFatal: true,
            words: takeLastName(sign).replace('=', ': '),
        })),
        ...(readErrors?.(document) ?? []),
    ];
}
/** The errors of the first place that has some: tools state the same ones in several. */
function readColumn(column, format, document) {
    const { at, read = format.read } = column;
    for (const place of at) {
        const errors = selectItems(document, place).filter((item) => statement_isError(item, column));
        if (errors.length === 0)
            continue;
        const names = listNames(column, document);
        const fatal = errors.find((error) => isFailure(error, column, names));
        const isAll = isEverything(errors, column, names) || hasReadNothing(document, read);
        const counts = errors.map((error) => (typeof error === 'number' ? error : 1));
        return [
            {
                count: counts.reduce((sum, count) => sum + count, 0),
                isFatal: fatal !== undefined || isAll,
                words: describeError(fatal ?? errors[0], place, column),
            },
        ];
    }
    return [];
}
/** The names of all that was to be read; undefined if the document does not list them. */
function listNames({ all = [] }, document) {
    const names = selectListed(document, ...all)?.map(readText);
    return names && new Set(names);
}
function statement_isError(item, column) {
    if (!isObject(item))
        return Boolean(item);
    if (column.words !== undefined)
        return Boolean(readMember(item, column.words));
    const harmless = [...HARMLESS_LEVELS, ...(column.harmless ?? [])];
    return !harmless.includes(findLevel(item, column));
}
/** Whether the scan failed by an error: of all levels the highest, unless it is about one of the files that were to be read. */
function isFailure(error, column, names) {
    const { about = '', isOfRules = [] } = column;
    if (column.isFatal === true)
        return true;
    if (!FATAL_LEVELS.includes(findLevel(error, column)))
        return false;
    const file = findText(error, about);
    if (file === undefined || isOfRules.some((sign) => hasSign(error, sign)))
        return true;
    return names?.has(file) === false;
}
function findLevel(error, { level = '' }) {
    return (readMember(error, level) ?? '').toLowerCase();
}
/** What an error is about, and its words; of a number of errors their name: `parsing errors: 2`. */
function describeError(error, place, { words, about = '' }) {
    const name = takeLastName(place).replaceAll('_', ' ');
    if (!isObject(error))
        return typeof error === 'string' ? (readText(error) ?? '') : `${name}: ${String(error)}`;
    const paths = words === undefined ? statement_WORDS : [words];
    const stated = [findText(error, about), findText(error, ...paths)];
    return stated.filter((text) => text !== undefined).join(': ') || name;
}
/** Whether nothing was to be read but what these errors are about. */
function isEverything(errors, { about = '', isPart = [] }, names) {
    const whole = errors.filter((error) => !isPart.some((sign) => hasSign(error, sign)));
    const failed = new Set(whole.map((error) => findText(error, about)));
    return names !== undefined && [...names].every((name) => failed.has(name));
}
function takeLastName(path) {
    return path.slice(path.lastIndexOf('/') + 1);
}
/** Whether a document says how much was read, in numbers or lists, and that this is nothing. */
function hasReadNothing(document, paths = []) {
    const values = paths.flatMap((path) => values_select(document, path)).filter((value) => value !== null);
    return values.length > 0 && values.every(isNothing);
}

;// CONCATENATED MODULE: ./lib/formats/recognise.js






/** A document usually has one tool or two; further ones are not listed. */
const MAX_TOOLS = 3;
/** How a text names a tool: those of SPDX (SPDX 2.3, section 6.8). */
const CREATOR = 'Tool: ';
/** Recognises the format of a document (a value of JSON.parse), its version and its tools. Nothing is counted. */
function recognise(document) {
    const format = FORMATS.find((each) => hasSigns(each, document));
    const { label = '', specVersion = [], tools = [], toolVersion = [] } = format ?? {};
    const own = findText(document, ...toolVersion);
    const named = tools.flatMap((path) => selectItems(document, path)).flatMap(nameTool);
    const names = [...new Set(own === undefined ? named : [`${label} ${own}`])];
    return {
        format: format?.name ?? 'json',
        syntax: 'json',
        inspected: 'partial',
        specVersion: findLine(document, ...specVersion),
        tool: joinWhiteSpace(names.slice(0, MAX_TOOLS).join(', ')) || undefined,
    };
}
/** Recognises a stream by its first documents, or by their list as some tools write it. Nothing is counted. */
function recogniseStream(documents) {
    const contents = [...documents, documents].map(recognise);
    const known = contents.find(({ format }) => format !== 'json');
    return { format: 'json', inspected: 'partial', ...known, syntax: 'ndjson' };
}
function hasSigns({ signs, listSigns, isList }, document) {
    const own = Array.isArray(document) && isList !== true ? listSigns : signs;
    return own?.some((all) => all.split(' ').every((sign) => hasSign(document, sign))) === true;
}
/** A tool's name and version. */
function nameTool(tool) {
    const text = readText(tool);
    if (text !== undefined)
        return text.startsWith(CREATOR) ? [text.slice(CREATOR.length)] : [];
    const name = findText(tool, 'name');
    if (name === undefined)
        return [];
    // npm calls itself `cli`.
    const vendor = name === 'cli' ? findText(tool, 'vendor') : undefined;
    const version = findText(tool, 'semanticVersion', 'version');
    return [[vendor, name, version].filter((each) => each !== undefined).join(' ')];
}
/**
 * Counts what a document of this format has, and reads what it says of its scan. It states that it has no findings only
 * if it has their list and no other one, and its scan did not fail.
 */
function countDocument(name, document) {
    const format = findFormat(name);
    if (format === undefined)
        return {};
    const components = format.components?.(document)?.length;
    const listed = listFindings(format, document);
    const statement = readStatement(format, document, listed ?? []);
    const isDoubtful = listed?.length === 0 && (statement.scan === 'failed' || hasOtherList(format, document));
    const findings = isDoubtful ? undefined : listed;
    return {
        components,
        ...(findings === undefined
            ? { mayBeReport: isAnonymous(format, document) }
            : countFindings(format, document, findings)),
        hasNoList: format.noListSigns?.some((sign) => hasSign(document, sign)),
        ...statement,
    };
}
/** Whether a document with components names neither its tool nor what was scanned, as that of pip-audit does. */
function isAnonymous({ holds, tools = [], subject = [] }, document) {
    if (holds !== 'either' || !hasSign(document, 'metadata'))
        return false;
    return ![...tools, ...subject].some((path) => hasSign(document, path));
}
function countFindings({ holds, isUnrated, scores = [] }, document, findings) {
    const isRated = isUnrated !== true || findings.some((severity) => severity !== 'unknown');
    const hasScores = scores.length === 0 || scores.some((path) => hasSign(document, path));
    return {
        [holds === 'either' ? 'vulnerabilities' : 'findings']: findings.length,
        severities: isRated ? countSeverities(findings) : undefined,
        isByLevel: findings.length > 0 && !hasScores,
    };
}
/** The severities of all findings of a document; undefined if it does not list them, or may have others. */
function listFindings(format, document) {
    const isList = format.isList === true && Array.isArray(document);
    const documents = isList ? document : [document];
    const found = documents.map((each) => readFindings(format, each));
    // One of several that only states an error has no list: it counts among the errors.
    const lists = found.filter((list, index) => list !== undefined || listErrors(format, documents[index]).length === 0);
    return lists.length > 0 && lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}
function readFindings(format, document) {
    const { findings: read, otherSigns = [], noListSigns = [] } = format;
    const found = read === undefined ? readLists(format, document) : read(document);
    const mayHaveOthers = found?.length === 0 && [...otherSigns, ...noListSigns].some((sign) => hasSign(document, sign));
    return mayHaveOthers ? undefined : found;
}
function readLists({ lists = [], severity }, document) {
    return selectListed(document, ...lists)?.map((each) => findWorst(severity === undefined ? [] : selectTexts(each, severity)));
}
/** Whether beside its lists of findings a document has a list that is not known, and not empty. */
function hasOtherList(format, document) {
    const { isStandard, lists = [], otherLists = [], errors = [], read = [] } = format;
    if (isStandard === true)
        return false;
    const paths = [...lists, ...read, ...errors.flatMap(({ at }) => at)];
    const known = new Set([...otherLists, ...paths.flatMap((path) => path.split('/'))]);
    const places = new Set(lists.flatMap((path) => listPlaces(path)));
    return [...places]
        .flatMap((place) => selectItems(document, place))
        .some((each) => isRecord(each) && hasUnknownList(each, known));
}
/** Whether an object has a list that is not empty, of another name than these. */
function hasUnknownList(value, known) {
    const names = Object.keys(value).filter((name) => !known.has(name));
    const lists = names.map((name) => Reflect.get(value, name)).filter(Array.isArray);
    return lists.some(({ length }) => length > 0);
}
/** The paths of the objects in which a list is: of `a/b/c` the root, `a` and `a/b`. */
function listPlaces(path) {
    const names = path === '' ? [] : path.split('/');
    return names.map((_, index) => names.slice(0, index).join('/'));
}

;// CONCATENATED MODULE: ./lib/formats/stated-error.js



// A document that only states an error, such as the response of a service that was saved in place of a report, is known by
// its shape: its root says an error, and beside that is nothing that could be findings. Names are as `foldName` writes them.
/** The members that are an error, or belong to it: `errors`, `errorCode`, `fault`. */
const ERROR_NAME = /^(?:errors?|fault|exception)(?:code|type|id|link|causes|messages?|msg|text|summary|details?|description)?$/;
const ERRORS = ['error', 'errors', 'fault', 'exception'];
/** Those that say whether there is one, and those with its words: the first has them. */
const STATE_NAMES = ['ok', 'success', 'status', 'statuscode', 'code', 'type'];
const WORD_NAMES = 'message errormessage errormessages msg summary errorsummary faultstring detail errordescription reason title data'.split(' ');
/** A message that is all is an error, unless it says that there is nothing to report. */
const MESSAGE_NAMES = ['message', 'msg', 'detail'];
const SUCCESS_STATES = new Set('true ok info warning success passed completed'.split(' '));
const FAILURE = /^(?:false|fail|failed|[45]\d\d)$|(?:error|exception|failure)$/;
const NOTHING_FOUND = /\b(?:no|0)\b.{0,100}\b(?:vulner|issue|finding|problem|violation|secret|leak|error|match)/is;
const DONE = /\b(?:success|complete|finished|passed|clean)/i;
/** How names begin that only findings have, which some linters call errors; a failure may have a severity too. */
const PLACE_NAMES = ['file', 'line', 'rule', 'check'];
const FINDING_NAMES = [...PLACE_NAMES, 'location', 'severity'];
/** A response may have a path of its own beside its error. */
const LISTED_FINDING_NAMES = [...FINDING_NAMES, 'path'];
/** The members of a report of `dotnet list` without projects, and of its errors: a linter's problems have a path. */
const PROBLEM_REPORT = ['version', 'parameters', 'sources', 'problems'];
const PROBLEM = ['level', 'text', 'project'];
/** The words of the error that a document states, if it states nothing else; of a list each item states one. */
function findStatedError(document) {
    if (Array.isArray(document))
        return findInList(document);
    return findProblem(document) ?? findInObject(document, findFailure);
}
/** The words of an error beside lists that are all empty, as of a linter that could not read anything. */
function findErrorBesideNothing(document) {
    if (!isRecord(document))
        return undefined;
    const { errors, error, ...others } = { ...document };
    const lists = listLists([others]);
    if (lists.length === 0 || lists.some(({ length }) => length > 0))
        return undefined;
    return findWords([errors, error].flat(), PLACE_NAMES);
}
/** The words of the error that a stream states, beside the notices that yarn writes with it. */
function findStreamedError(documents) {
    return findInList(documents.filter((each) => !isNotice(each)));
}
/** A line of yarn that is no error: a `type` of success, and its `data` in words. */
function isNotice(item) {
    return SUCCESS_STATES.has(findText(item, 'type') ?? '') && findText(item, 'data') !== undefined;
}
/** The words of the first item, if each states an error and nothing else. */
function findInList(items) {
    let first;
    for (const item of items) {
        const words = findInObject(item, findTyped);
        if (words === undefined)
            return undefined;
        first ??= words;
    }
    return first;
}
/** The words of an error that is a member of an object, or that `find` finds, if it has nothing that could be findings. */
function findInObject(value, find) {
    const members = readMembers(value);
    if (hasName(members, FINDING_NAMES) || isSuccess(members))
        return undefined;
    const words = stated_error_findError(members) ?? find(members);
    return words === undefined || hasFindings(members) ? undefined : words;
}
/** The words of an error that is a member, or of the one that others, such as its code, belong to. */
function stated_error_findError(members) {
    const names = [...members.keys()].filter((name) => ERROR_NAME.test(name) && !isNothing(members.get(name)));
    if (names.length === 0 || isOfFiles(members))
        return undefined;
    const values = names.filter((name) => ERRORS.includes(name)).map((name) => members.get(name));
    return findWords(values.flat(), LISTED_FINDING_NAMES, members);
}
/** The first words of errors, or those of the object that they are in; undefined if one has a name of these. */
function findWords(errors, names, parent = new Map()) {
    let words;
    for (const error of errors) {
        const own = readMembers(error);
        if (hasName(own, names))
            return undefined;
        words ??= toWords(error) ?? readWords(own);
    }
    return words ?? readWords(parent);
}
/** Whether errors are texts beside an object of results: those of files that a linter could not read. */
function isOfFiles(members) {
    const errors = members.get('errors');
    if (members.has('error') || !isObject(errors) || Object.values(errors).some(isObject))
        return false;
    return [...members].some(([name, value]) => isObject(value) && !ERROR_NAME.test(name));
}
/** The words of a failed status, or of a message that is all. */
function findFailure(members) {
    const words = readWords(members);
    const isFailure = STATE_NAMES.some((name) => FAILURE.test(readState(members, name)));
    if (words === undefined || isFailure || members.has('documentationurl'))
        return words;
    const isMessage = members.size === 1 && MESSAGE_NAMES.some((name) => members.has(name));
    return isMessage && !NOTHING_FOUND.test(words) && !DONE.test(words) ? words : undefined;
}
/** Of an item a status with a message is not enough: findings have both. */
function findTyped(members) {
    return readState(members, 'type') === 'error' ? readWords(members) : undefined;
}
/** The first error of a report of `dotnet list` that has nothing else (dotnet/sdk#47873). */
function findProblem(document) {
    const problems = selectItems(document, 'problems');
    const isAll = hasOnly(document, PROBLEM_REPORT) && problems.every((each) => hasOnly(each, PROBLEM));
    const error = problems.find((each) => hasSign(each, 'level=error'));
    return isAll ? toWords(findText(error, 'text')) : undefined;
}
function hasOnly(value, names) {
    return isObject(value) && Object.keys(value).every((name) => names.includes(name));
}
function isSuccess(members) {
    return STATE_NAMES.some((name) => SUCCESS_STATES.has(readState(members, name)));
}
/** Whether a name begins with one of these. In GraphQL `locations` and `path` are lists, of places in the query. */
function hasName(members, names) {
    const own = [...members.keys()].filter((name) => !Array.isArray(members.get(name)));
    return own.some((name) => names.some((start) => name.startsWith(start)));
}
/** Whether a document has a list of objects, or an empty one, outside of its errors. */
function hasFindings(members) {
    const others = [...members].filter(([name]) => !ERROR_NAME.test(name));
    const lists = listLists(others.map(([, value]) => value));
    return lists.some((list) => list.length === 0 || list.some(isObject));
}
/** The lists among values and their members, at any depth, without the lists in lists. */
function listLists(values) {
    // The loop also reaches the values that it appends.
    const open = [...values];
    for (const value of open) {
        if (isRecord(value))
            for (const member of Object.values(value))
                open.push(member);
    }
    return open.filter(Array.isArray);
}
function readState(members, name) {
    const value = members.get(name);
    return (typeof value === 'boolean' ? String(value) : (readText(value) ?? '')).toLowerCase();
}
/** The words that an object has for itself. */
function readWords(members) {
    return WORD_NAMES.map((name) => toWords(members.get(name))).find((each) => each !== undefined);
}
/** A text as the end of a sentence. */
function toWords(value) {
    const text = typeof value === 'string' ? readText(value) : '';
    return joinWhiteSpace(text ?? '').replace(/\.$/, '') || undefined;
}
/** None of what is no object. */
function readMembers(value) {
    const members = new Map();
    if (!isObject(value))
        return members;
    for (const name of Object.keys(value)) {
        members.set(foldName(readText(name) ?? ''), Reflect.get(value, name));
    }
    return members;
}

;// CONCATENATED MODULE: ./lib/formats/inspect-json.js







/**
 * How many opening brackets and commas a parsed text may have: almost twice as many as 32 MiB of the densest real scan.
 * Names that occur only once take V8 most: over 5 µs and 1 KiB for each.
 */
const MAX_ITEMS = 2_000_000;
/** Recognises a text that is JSON, a stream of JSON objects or lists, or begins like one; undefined for any other text. */
function inspectJson(sample) {
    const { text, tail } = sample;
    const isParsed = tail === undefined && !isDense(text);
    const value = isParsed ? tryJson(text) : undefined;
    if (value !== undefined)
        return inspectDocument(value);
    if (!isJsonLike(text))
        return undefined;
    return inspectDocuments(sample, isParsed ? parseDocuments(text) : parseBeginning(sample));
}
/** A single string, number or literal is JSON too (RFC 8259, section 2). */
function inspectDocument(value) {
    const kind = findDocumentKind(value);
    const content = { ...recognise(value), inspected: 'full', kind };
    if (content.format !== 'json')
        return { ...content, ...countDocument(content.format, value) };
    if (kind !== undefined)
        return content;
    const firstError = findErrorBesideNothing(value);
    const scan = firstError === undefined ? undefined : 'failed';
    return { ...content, scan, firstError, ...stateError(findStatedError(value)) };
}
/** What a document is that has no format. */
function findDocumentKind(value) {
    if (value === null)
        return 'null';
    if (!isObject(value))
        return 'scalar';
    return Object.keys(value).length === 0 ? 'bare' : findAttestation(value);
}
/** How a document is signed. */
function findAttestation(value) {
    if (hasSign(value, 'dsseEnvelope/payload'))
        return 'bundle';
    const isSigned = ['payloadType', 'payload', 'signatures'].every((name) => hasSign(value, name));
    return isSigned ? 'dsse' : undefined;
}
function stateError(words) {
    return words === undefined ? {} : { kind: 'error', problem: `only states an error: ${words}` };
}
/**
 * The first documents of a text that is large or dense. It is whole if its last character closes its first bracket, or
 * any bracket of a stream.
 */
function parseBeginning({ text, tail = text }) {
    const { documents } = parseDocuments(text.slice(0, END_LENGTH));
    const closing = text.trimStart().startsWith('{') ? '}' : ']';
    const isWhole = tail.trimEnd().endsWith(closing) || (documents.length > 0 && endsLikeJson(tail));
    return { documents, error: isWhole ? undefined : { type: 'truncated', position: text.length } };
}
/** Whether a text has more brackets and commas outside of its strings than are parsed. */
function isDense(text) {
    if (text.length < MAX_ITEMS)
        return false;
    let count = 0;
    let isInString = false;
    for (let at = 0; at < text.length && count < MAX_ITEMS; at += 1) {
        const character = text.charAt(at);
        if (character === '"')
            isInString = !isInString;
        else if (isInString && character === '\\')
            at += 1;
        else if (!isInString && '{[,'.includes(character))
            count += 1;
    }
    return count === MAX_ITEMS;
}
/** Recognises a stream by its first documents, any other text that is not parsed whole by its ends. */
function inspectDocuments(sample, { documents, error }) {
    // A document with other text after it is no stream.
    const isStream = documents.length > (error?.type === 'trailing' ? 1 : 0);
    const content = isStream ? recogniseStream(documents) : recognise(readEnds(sample));
    if (error !== undefined)
        return { ...content, ...explainError(sample, error, content) };
    if (content.format !== 'json' || !isStream)
        return content;
    const isAll = sample.tail === undefined && documents.length < MAX_DOCUMENTS;
    const words = isAll ? findStreamedError(documents) : undefined;
    return { ...content, kind: findAttestation(documents[0]), ...stateError(words) };
}
/** The members by which CycloneDX, SPDX, SARIF and Trivy are known. */
const ROOT_MEMBERS = new Set('$schema @context bomFormat specFormat specVersion spdxVersion version runs SchemaVersion ArtifactName'.split(' '));
/** A member with a text or a number, or the beginning of one with a list. In a string its name has backslashes. */
const MEMBER = /"([$@]?\w+)"\s*:\s*("[^"\\\n]{0,512}"|\d+|\[)/g;
/** The members at both ends of a text that say what it is; the first of each name. Of a list there is only the name. */
function readEnds({ text, tail = text }) {
    const ends = `${text.slice(0, END_LENGTH)}\n${tail.slice(-END_LENGTH)}`;
    const members = {};
    for (const [, name = '', value = ''] of ends.matchAll(MEMBER)) {
        if (ROOT_MEMBERS.has(name))
            members[name] ??= tryJson(value);
    }
    return members;
}
/** What may be shown of a text that may have secrets: an escape, a visible sign, or a word of another language. */
const SHOWN_PIECE = /^(?:\\.|NaN|-?Infinity|undefined|None|True|False|[^\w\s"\p{C}])/u;
const inspect_json_ESC = '\u001B';
const NUL = '\0';
/** Why a text is no whole document, in words that show nothing of it that may be a secret. */
function explainError(sample, error, content) {
    const { text, size } = sample;
    const { type, position } = error;
    if (type === 'truncated') {
        return { kind: type, problem: `is truncated: its JSON ends too early, at byte ${size}` };
    }
    const place = formatPlace(text.slice(0, position));
    const character = text.charAt(position);
    if (character === inspect_json_ESC) {
        const problem = `has terminal colours (escape sequences) in its JSON (${place})`;
        return { kind: 'colored-inside', problem };
    }
    if (character === NUL)
        return { kind: 'malformed', problem: `has a NUL byte (${place})` };
    if (type === 'trailing') {
        const kind = findTrailingKind(sample, position, content);
        return { kind, problem: `has other text after its JSON (${place})` };
    }
    const what = describePiece(text, position);
    return { kind: type, problem: `is not well-formed JSON (${place}${what})` };
}
/** What is at a place where JSON ends too early; nothing if that may be a secret. */
function describePiece(text, position) {
    const [piece = ''] = SHOWN_PIECE.exec(text.slice(position, position + 16)) ?? [];
    const isClosing = piece === '}' || piece === ']';
    if (isClosing && text.slice(0, position).trimEnd().endsWith(','))
        return `: a comma before ${piece}`;
    return piece && `: '${piece}'`;
}
/**
 * What the text after a document is: what a tool wrote beside it, or what is left of another document, which goes on with
 * JSON, or has a quote and no document of its own.
 */
function findTrailingKind({ text, tail = text }, position, { format, syntax }) {
    const rest = text.slice(position);
    const hasDocuments = syntax === 'ndjson' || findLaterJson(rest) >= 0;
    const isLeft = ',]}'.includes(rest.charAt(0)) || (!hasDocuments && rest.includes('"'));
    if (!isLeft || !endsLikeJson(tail))
        return 'trailing';
    return format === 'sarif' ? 'appended-sarif' : 'appended';
}

;// CONCATENATED MODULE: ./lib/formats/inspect-xml.js



const HTML_PAGE = /^<(?:!doctype\s+)?html[\s>]/i;
/** A start tag, or the beginning of one at the end of a text, and its name. */
const START_TAG = /^<([\p{L}_][\p{L}\d_:.-]*)(?:[\s/][^<>]*)?(?:>|$)/u;
const COMPONENT = /[<:]component[\s/>]/;
const VULNERABILITIES = /[<:]vulnerabilities[\s/>]/;
/** Whether a text is a web page. */
function isPage(text) {
    return HTML_PAGE.test(skipProlog(text));
}
/**
 * Recognises a text that begins like an XML document by its root; undefined for anything else.
 * It is truncated if it lacks the root's end tag. Nothing is counted.
 */
function inspectXml({ text, tail, size }) {
    const head = text.slice(0, END_LENGTH).trimStart();
    const rest = skipProlog(head);
    if (!head.startsWith('<') || HTML_PAGE.test(rest))
        return undefined;
    const [tag = '', name = ''] = START_TAG.exec(rest) ?? [];
    const after = tag.endsWith('/>') ? '' : readAfter((tail ?? text).slice(-END_LENGTH), name);
    // Comments and instructions may follow.
    const isWhole = after !== undefined && ['', '<'].includes(after.charAt(0));
    if (!isWhole && !isXml(head, rest, tag))
        return undefined;
    const root = recogniseRoot(tag);
    const isSbom = root.format === 'cyclonedx' && COMPONENT.test(text) && !VULNERABILITIES.test(text);
    const content = {
        ...root,
        syntax: 'xml',
        inspected: 'partial',
        role: isSbom && tail === undefined ? 'SBOM' : undefined,
    };
    if (isWhole)
        return content;
    if (after !== undefined) {
        return { ...content, kind: 'trailing', problem: 'has other text after its XML' };
    }
    const problem = `is truncated: its XML ends too early, at byte ${size}`;
    return { ...content, kind: 'truncated', problem };
}
/**
 * The text after what may precede a root (XML 1.0, 2.8): a declaration, instructions, comments and a document type, but for
 * a page's. It is empty if it ends in one of them.
 */
function skipProlog(text) {
    let rest = text.trimStart();
    while (!HTML_PAGE.test(rest)) {
        const end = findEnd(rest);
        if (end === undefined)
            return rest;
        const at = rest.indexOf(end);
        if (at < 0)
            return '';
        rest = rest.slice(at + end.length).trimStart();
    }
    return rest;
}
/** What ends a declaration or an instruction, a comment or a document type; undefined for any other text. */
function findEnd(text) {
    const start = text.slice(0, 9).toLowerCase();
    if (start.startsWith('<?'))
        return '?>';
    if (start.startsWith('<!--'))
        return '-->';
    if (start !== '<!doctype')
        return undefined;
    // A document type may contain declarations.
    const [declaration = ''] = text.split('>', 1);
    return declaration.includes('[') ? ']>' : '>';
}
/**
 * Whether a text that does not end with the root is XML: it ends in its prolog (`rest` is what follows that), or has a start
 * tag after a prolog or before another tag. A plain text may begin with a comment, or like a tag (`<stdin>:3: a`).
 */
function isXml(text, rest, tag) {
    if (rest === '')
        return true;
    const after = rest.slice(tag.length).trimStart();
    return tag !== '' && (rest !== text || after === '' || after.startsWith('<'));
}
/** The format of a root by its start tag, and the version in it. */
function recogniseRoot(startTag) {
    const known = FORMATS.find(({ xml }) => xml !== undefined && startTag.includes(xml));
    if (known?.xml === undefined)
        return { format: 'xml' };
    const [, after = ''] = startTag.split(known.xml);
    const [specVersion] = /^[\d.]*\d/.exec(readText(after) ?? '') ?? [];
    return { format: known.name, specVersion };
}
/** What follows the end tag of the root, without white space; undefined if a text has no such tag. */
function readAfter(text, root) {
    const at = text.lastIndexOf(`</${root}`);
    if (root === '' || at < 0)
        return undefined;
    const rest = text.slice(at + 2 + root.length).trimStart();
    return rest.startsWith('>') ? rest.slice(1).trimStart() : undefined;
}

;// CONCATENATED MODULE: ./lib/formats/inspect-bytes.js







/** Recognises a file by all of its bytes, or by the beginning and end of a large one. */
function inspectBytes(bytes, tail, size = bytes.length) {
    const isWhole = tail === undefined;
    // The beginning of a large file may end inside a character, which `stream` leaves out.
    const text = new TextDecoder().decode(bytes, { stream: !isWhole });
    const inspected = isWhole ? 'full' : 'partial';
    if (isWhole && text.trim() === '') {
        const problem = size === 0 ? 'is empty (0 bytes)' : 'contains only white space';
        return { format: 'empty', inspected, kind: 'empty', problem };
    }
    const sample = { text, tail: tail?.toString(), size };
    const content = inspectJson(sample) ?? inspectXml(sample) ?? inspectText(bytes, sample, inspected);
    const isSbom = findFormat(content.format) === undefined && looksLikeSbom(text);
    return conclude({
        ...content,
        // XML may have another encoding.
        invalidByte: isWhole && isJson(content) ? findInvalidByte(bytes) : undefined,
        role: isSbom ? 'SBOM' : content.role,
    });
}
/** Where the first byte is that is not UTF-8; undefined if all are. */
function findInvalidByte(bytes) {
    if ((0,external_node_buffer_namespaceObject.isUtf8)(bytes))
        return undefined;
    const valid = Buffer.from(bytes.toString());
    const different = valid.findIndex((byte, index) => byte !== bytes[index]);
    // What is not UTF-8 became U+FFFD, whose first bytes may be the same.
    return valid.lastIndexOf('\uFFFD', different);
}
/** The version that SPDX in a syntax other than JSON states near its beginning. */
const SPDX_VERSION = /^(?:SPDXVersion|spdxVersion): *["']?(SPDX-[\d.]{1,32})/m;
/** Recognises a file that is neither JSON nor XML. SPDX as tags with values or in YAML is not parsed. */
function inspectText(bytes, sample, inspected) {
    const { text } = sample;
    const kind = findTextKind(bytes, sample);
    const [, specVersion] = SPDX_VERSION.exec(text.slice(0, END_LENGTH)) ?? [];
    if (kind !== 'text' || specVersion === undefined)
        return { format: 'unknown', inspected, kind };
    return { format: 'spdx', specVersion, inspected: 'partial' };
}
/** How much of a file's beginning decides what it is, if it is neither JSON nor XML. */
const KIND_LENGTH = 1024;
/** An escape sequence that sets a colour. The pattern of node:util takes hours for some texts. */
const COLOR = /\p{Cc}\[[\d;]*m/gu;
/** The line by which JavaScript gives a name to the JSON after it. */
const SCRIPT = /^[\w$. ]+=$/;
/** What a file is that is neither JSON nor XML, by its first bytes and its text. */
function findTextKind(bytes, { text, tail = text }) {
    const digits = bytes.toString('hex', 0, 4);
    if (digits.startsWith('1f8b'))
        return 'gzip';
    if (digits === '504b0304')
        return 'zip';
    // A byte order mark.
    if (digits.startsWith('fffe') || digits.startsWith('feff'))
        return 'utf-16';
    if (text.startsWith('version https://git-lfs.github.com/'))
        return 'lfs';
    const head = text.trimStart().slice(0, KIND_LENGTH);
    if (isPage(head))
        return 'html';
    if (head.includes('\0'))
        return 'nul';
    // U+FFFD stands for bytes that are not UTF-8.
    if (head.includes('\uFFFD'))
        return 'binary';
    const plain = text.replaceAll(COLOR, '');
    if (plain !== text && parseDocuments(plain).error === undefined)
        return 'colored';
    const at = findLaterJson(plain);
    if (at < 0)
        return 'text';
    const before = listLines(plain.slice(0, Math.min(at, END_LENGTH)));
    // JSON after comments is YAML.
    if (before.every((line) => line.startsWith('#')))
        return 'text';
    if (!endsLikeJson(tail))
        return 'around';
    return SCRIPT.test(before.join('\n')) ? 'script' : 'mixed';
}
/** What SBOMs of formats that are not known have: package URLs, or the namespaces of SWID, SPDX or CycloneDX. */
const SBOM_SIGN = /\bpkg:[a-z][\w.+-]*\/|[<:]SoftwareIdentity\s|\bspdx\.org\/(?:rdf|spdxdocs)|\bcyclonedx\.org\/(?:bom|schema)/i;
/** What reports have, whatever they find. */
const REPORT_SIGN = /severity|vulnerabilit|\bCVE-\d|\bCWE-\d|\bGHSA-|cvss|\bfinding|\bviolation|"matches"/i;
/** Whether a text of no known format is rather an SBOM than a report. */
function looksLikeSbom(text) {
    return SBOM_SIGN.test(text) && !REPORT_SIGN.test(text);
}

;// CONCATENATED MODULE: ./lib/inputs/scans.js










const MAX_SCANS = 1000;
const FILE_INPUTS = ['files', ...PARTS.map(({ input }) => input)];
/** The inputs that are properties of an entry. */
const SCAN_INPUTS = ['scan-key', ...FILE_INPUTS];
const PROPERTIES = ['name', ...SCAN_INPUTS];
/** The ways to name files, each with the inputs that have to be set together. */
const WAYS = [
    ['files'],
    ...OPERATIONS.map(({ parts }) => parts.map(({ input }) => input)),
];
/**
 * Reads the scans of a step: the entries of `scans`, or the one that the other inputs name. Throws an InputError, or adds
 * to the faults what is wrong with an entry.
 */
async function readStepScans(reading) {
    const text = readInput('scans');
    const others = SCAN_INPUTS.filter((name) => readInput(name) !== '');
    if (text === '') {
        if (others.length > 0) {
            return [{ label: undefined, name: undefined, ...readScan(reading, readInput) }];
        }
        throw refuseEmpty('`scan-key`, `files` and `scans` are empty.', VARIABLE_FIX);
    }
    if (others.length === 0)
        return readScans(text, reading);
    const list = quote(others, ', ');
    throw new InputError(`\`scans\` cannot be combined with ${list}. Move them into its entries.`);
}
/** Reads `scans`: JSON, or the path of a file with it. */
async function readScans(text, reading) {
    // A text of several lines, such as YAML, is no path.
    if (/^[[{]|[\r\n]/.test(text))
        return parseScans(text, reading, '`scans`');
    if (['Array', 'Object'].includes(text)) {
        throw new InputError(`\`scans\` is '${text}', which an expression writes for a list or an object. Write toJSON(...) around it.`);
    }
    const bytes = await readInputFile('scans', text, reading.workspace);
    const source = `\`scans\`: the file '${text}'`;
    const content = inspectBytes(bytes);
    if (content.syntax === undefined && content.kind !== undefined && content.kind !== 'text') {
        throw new InputError(`${source} is ${describeContent(content)}.`);
    }
    // The fixes are about expressions of the workflow, which a file does not have.
    const ofFile = { ...reading, faults: reading.faults.withoutFixes() };
    // The decoder leaves out a byte order mark.
    return parseScans(new TextDecoder().decode(bytes), ofFile, source);
}
/** Reads the scans of a JSON text. Throws an InputError, which names `source`, for a text that is no list of scans. */
function parseScans(json, reading, source) {
    const value = tryJson(json);
    if (value === undefined)
        throw new InputError(`${source} is not valid JSON${findPlace(json)}.`);
    // An object has room for `$schema`, which only editors read.
    const entries = isObject(value) && 'scans' in value ? value.scans : value;
    if (!Array.isArray(entries) || entries.length > MAX_SCANS) {
        throw new InputError(`\`scans\` must be a JSON array of at most ${MAX_SCANS} entries, one for each scan, or an object with this array as \`scans\`.`);
    }
    return entries.flatMap((entry, index) => reading.faults.read([], () => [readEntry(entry, index, reading)]));
}
/** Where a text is no JSON. The parser's message may quote it, and it may be the content of a file. */
function findPlace(json) {
    const { error } = parseDocuments(json);
    // Several documents are valid, each by itself.
    if (error === undefined)
        return '';
    const before = json.slice(0, error.position);
    const isLast = before.trimEnd().endsWith(',') && /[\]}]/.test(json.charAt(error.position));
    return ` (${formatPlace(before)}${isLast ? ': remove the comma before it' : ''})`;
}
/** Reads an entry. Throws an InputError that names it by its index, and its name. */
function readEntry(entry, index, reading) {
    if (!isObject(entry))
        throw new InputError(`scans[${index}]: The entry is not a JSON object.`);
    const properties = new Map(Object.entries(entry));
    const read = (property) => readProperty(property, properties.get(property));
    const name = reading.faults.at(`scans[${index}]: `).read('', () => parseName(read('name')));
    const place = name === '' ? `scans[${index}]: ` : `scans[${index}] (${name}): `;
    const unknown = [...properties.keys()].find((property) => !PROPERTIES.includes(property));
    if (unknown !== undefined) {
        const list = PROPERTIES.join(', ');
        throw new InputError(`${place}Unknown property '${unknown}'; an entry has ${list}.`);
    }
    const scan = readScan({ ...reading, faults: reading.faults.at(place) }, read);
    return { label: name || `scans[${index}]`, name: name || undefined, ...scan };
}
function parseName(text) {
    if (/^[^\n\r\v\f\u0085\u2028\u2029]{0,100}$/u.test(text))
        return text;
    throw new InputError('`name` must be one line of at most 100 characters.');
}
/** Reads a property without white space around it, empty if it is null or absent. `files` may also be an array. */
function readProperty(property, value) {
    const isList = property === 'files' && Array.isArray(value);
    const lines = isList ? value : [value ?? ''];
    if (lines.every((line) => typeof line === 'string'))
        return lines.join('\n').trim();
    const orList = property === 'files' ? ' or an array of strings' : '';
    throw new InputError(`\`${property}\` must be a string${orList}.`);
}
/** Reads what the inputs of one scan say. */
function readScan({ faults, dryRun }, read) {
    const scanKey = faults.read('', () => {
        const text = read('scan-key');
        return text === '' && dryRun ? '' : parseScanKey(text);
    });
    return { scanKey, selection: faults.read([], () => readSelection(faults, read)) };
}
/** Reads the patterns of a scan. Throws an InputError unless exactly one way is used. */
function readSelection(faults, read) {
    const named = FILE_INPUTS.filter((input) => read(input) !== '');
    checkWay(named);
    return named.map((input) => {
        return { input, patterns: faults.read([], () => readPatterns(input, read(input))) };
    });
}
const PAIR_FIX = 'Set it, or check the names in its expression. For one file alone, set `files`.';
/** Throws an InputError unless these are all inputs of one way. */
function checkWay(named) {
    const ways = WAYS.map((way) => quote(way, ' with ')).join(', or ');
    if (named.length === 0)
        throw refuseEmpty(`No files are named: set ${ways}.`, NAME_FIX);
    const possible = WAYS.filter((way) => named.every((input) => way.includes(input)));
    const [way] = possible.toSorted((one, other) => one.length - other.length);
    if (way === undefined) {
        const list = quote(named, ' and ');
        throw new InputError(`Files are named by ${list}: set exactly one of ${ways}.`);
    }
    const empty = way.filter((input) => !named.includes(input));
    if (empty.length === 0)
        return;
    const fault = `${quote(empty, ' and ')} is empty, but ${quote(named, ' with ')} needs it.`;
    throw refuseEmpty(fault, PAIR_FIX);
}
/** Reads the patterns of an input. Throws an InputError if none includes files, or if an exclusion has no effect. */
function readPatterns(input, text) {
    const patterns = parsePatterns(text);
    const [first] = patterns;
    if (patterns.every(({ isExclusion }) => isExclusion)) {
        throw new InputError(`\`${input}\` has only excludes (!) or comments (#): name the files to upload.`);
    }
    if (!first?.isExclusion)
        return patterns;
    throw new InputError(`\`${input}\`: '!${first.text}' is above every pattern, so it excludes nothing. Write it last.`);
}
function quote(inputs, separator) {
    return inputs.map((input) => `\`${input}\``).join(separator);
}

;// CONCATENATED MODULE: external "node:crypto"
const external_node_crypto_namespaceObject = require("node:crypto");
;// CONCATENATED MODULE: external "node:tls"
const external_node_tls_namespaceObject = require("node:tls");
;// CONCATENATED MODULE: ./lib/inputs/tls.js






/** What a certificate begins with. Each is counted, because TLS ignores a certificate without its end line. */
const PEM_BEGIN = '-----BEGIN CERTIFICATE-----';
/**
 * Reads and checks `ca-cert`, `client-cert` and `client-key`, so that a wrong file is reported as an invalid input,
 * not as a failed handshake. Each is PEM text, the path of a PEM file relative to `workspace`, or empty.
 */
async function readTlsMaterial({ faults, workspace, dryRun, }) {
    faults.read(undefined, checkVerification);
    const ca = await faults.readLater(undefined, readPem('ca-cert', workspace));
    const cert = await faults.readLater(undefined, readPem('client-cert', workspace));
    const key = await faults.readLater(undefined, readPem('client-key', workspace));
    if (!dryRun)
        faults.read(undefined, checkBoth);
    if (cert && key)
        faults.read(undefined, () => checkPair(cert, key));
    const isExtraCaMissing = await isMissing(process.env.NODE_EXTRA_CA_CERTS);
    return { ca, cert, key, isExtraCaMissing };
}
async function isMissing(path = '') {
    const ended = (0,external_node_fs_promises_namespaceObject.access)(path).then(() => false, () => true);
    return path !== '' && (await ended);
}
function checkVerification() {
    if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0')
        return;
    throw new InputError('NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification. Remove it; for a private CA set `ca-cert`.');
}
function checkBoth() {
    if ((readInput('client-cert') === '') === (readInput('client-key') === ''))
        return;
    throw new InputError('`client-cert` and `client-key` must be set together.');
}
/** Reads the PEM text of an input; undefined if it is not set. */
async function readPem(input, workspace) {
    const text = input === 'client-key' ? hideClientKey() : readInput(input);
    if (text === '')
        return undefined;
    const pem = text.includes('-----BEGIN ') ? text : await readPemFile(input, text, workspace);
    if (input !== 'client-key')
        checkCertificates(input, pem);
    return pem;
}
async function readPemFile(input, path, workspace) {
    const bytes = await readPath(input, path, workspace);
    if (isDer(bytes)) {
        throw new InputError(`\`${input}\`: '${path}' is DER or PKCS#12, not PEM. Convert it with openssl.`);
    }
    const pem = String(bytes);
    return input === 'client-key' ? hideKey(pem) : pem;
}
async function readPath(input, path, workspace) {
    try {
        return await readInputFile(input, path, workspace);
    }
    catch (error) {
        if (isFilePath(path))
            throw error;
        // The text is not shown, because it may be a key, in Base64 or without its first line.
        throw new InputError(`\`${input}\` is neither PEM text (-----BEGIN ...) nor the path of a file. Decode it first if it is Base64.`);
    }
}
/** Whether bytes begin as DER does, and PKCS#12: with a sequence whose length needs more than one byte, which no text has. */
function isDer(bytes) {
    const [tag = 0, length = 0] = bytes;
    return tag === 0x30 && length > 0x80;
}
/** Reads the certificates in a PEM text. Throws an Error for one that cannot be read. */
function listCertificates(pem) {
    const [, ...parts] = pem.split(PEM_BEGIN);
    return parts.map((part) => new external_node_crypto_namespaceObject.X509Certificate(`${PEM_BEGIN}${part}`));
}
/** Throws an InputError unless every certificate can be read, because TLS leaves out others in silence. */
function checkCertificates(input, pem) {
    try {
        if (listCertificates(pem).length > 0)
            return;
    }
    catch {
        // A certificate that cannot be read is reported as none.
    }
    throw new InputError(`\`${input}\` has no usable certificate. It must be PEM text with its line breaks, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.`);
}
function checkPair(cert, key) {
    try {
        (0,external_node_tls_namespaceObject.createSecureContext)({ cert, key });
    }
    catch (error) {
        throw new InputError(`\`client-key\` cannot be used with \`client-cert\` (${errorReason(error)}): it must be the private key of this certificate, in PEM without a passphrase (openssl pkey -in key.pem -out plain.pem removes it).`);
    }
}

;// CONCATENATED MODULE: ./lib/inputs/inputs.js











/** A job on a self-hosted runner ends after five days. */
const MAX_TIMEOUT_SECONDS = 432_000;
/** Hides all secrets that inputs and environment variables have, before anything is written. */
function hideSecrets(faults) {
    for (const hide of [hideToken, hideClientKey, hideHeaders, hideRequestToken, hidePasswords]) {
        faults.read(undefined, hide);
    }
}
/** Reads the time limit of the step in milliseconds, which is needed even if inputs are invalid. */
function readTimeLimit(faults) {
    return 1000 * readInteger(faults, 'timeout-seconds', 900, 1, MAX_TIMEOUT_SECONDS);
}
/**
 * Reads all other inputs. An empty one has the default of action.yml, and paths are relative to `workspace`. Throws one
 * InputError with all faults, those in `faults` first.
 */
async function readInputs(workspace, faults) {
    const dryRun = readFlag(faults, 'dry-run');
    const reading = { faults, workspace, dryRun };
    if (!dryRun) {
        checkDryRunName();
        await checkFork();
    }
    const allowHttp = readFlag(faults, 'allow-http');
    const baseUrl = faults.read(undefined, () => parseBaseUrl(readInput('base-url'), allowHttp, dryRun));
    const credential = readCredential(reading, baseUrl);
    const inputs = {
        credential,
        headers: faults.read([], () => parseHeaders(hideHeaders(), credential, dryRun)),
        scans: await faults.readLater([], readStepScans(reading)),
        maxParallel: readInteger(faults, 'max-parallel', 4, 1, 32),
        noFiles: readChoice(faults, 'if-no-files-found', ['error', 'warn', 'ignore']),
        includeHidden: readFlag(faults, 'include-hidden-files'),
        contentCheck: readChoice(faults, 'content-check', ['error', 'warn', 'off']),
        retries: readInteger(faults, 'retries', 8, 0, 100),
        stallMs: 1000 * readInteger(faults, 'stall-timeout-seconds', 60, 1, MAX_TIMEOUT_SECONDS),
        tls: await readTlsMaterial(reading),
        proxy: faults.read(undefined, () => baseUrl && findProxy(baseUrl)),
    };
    faults.throwAny();
    if (dryRun)
        return { ...inputs, dryRun, baseUrl };
    // The compiler does not know that a missing URL is one of the faults above.
    if (baseUrl === undefined)
        throw new InputError('`base-url` is empty.');
    return { ...inputs, dryRun, baseUrl };
}
/** Throws an InputError for `dry-run` in another spelling: the runner only warns of it, and the step would upload. */
function checkDryRunName() {
    for (const [variable, text = ''] of Object.entries(process.env)) {
        const name = variable.slice('INPUT_'.length).toLowerCase();
        const isOther = foldName(variable) === 'inputdryrun' && name !== 'dry-run';
        if (!isOther || ['', 'false'].includes(text.trim().toLowerCase()))
            continue;
        throw new InputError(`\`${name}\` is no input of this action: write \`dry-run\`.`);
    }
}

;// CONCATENATED MODULE: ./lib/service/attempt.js
/** The states in which nothing of the request is sent yet. */
const BEFORE_REQUEST = ['credential', 'connecting'];
/** The longest id of a request that is shown: one of W3C Trace Context has 55. */
const MAX_ID_CHARACTERS = 100;
/**
 * Whether a server asks for the same request without the expectation (RFC 9110, section 10.1.1). After a part of the
 * body a 417 is a refusal: the service must not get the scan twice in one attempt.
 */
function isExpectationRefused({ response, sentBytes }) {
    return response?.status === 417 && sentBytes === 0;
}
/** The error of the connection that ended an attempt; empty if none did. */
function findConnectionError({ failure }) {
    return failure?.kind === 'connection' ? failure.error : {};
}
/** Whether a server or a gateway in front of the service responded in its place. */
function isForeign({ kind }) {
    return !['problem', 'json'].includes(kind);
}
/** Whether Cloudflare's firewall responded in place of the service, with a check that only browsers pass. */
function isChallenge({ headers, text }) {
    const isPage = headers.server === 'cloudflare' && text.trim().startsWith('Just a moment...');
    return isPage || headers['cf-mitigated'] === 'challenge';
}
/** The record of an attempt that ended before its request, because there was no credential. */
function recordNoCredential(error) {
    return {
        state: 'credential',
        sentBytes: 0,
        isSent: false,
        isCertificateRequested: false,
        digests: undefined,
        response: undefined,
        failure: { kind: 'step', error },
    };
}

;// CONCATENATED MODULE: ./lib/service/said.js


/** A line of a stack: `at a.B(C c) in d.cs:line 1`, `at a.b(c.java:1) ~[d.jar:1]`, `at a.b (<anonymous>)`. */
const CALL = /^at [^\s()]+(?:\(.*\)(?: in .*| ~?\[.*)?| \(<anonymous>\))$/;
/** One with a file: `at async f (/a/b.js:1:2)`, `at /a/b.js:1:2`. An address with a port is none. */
const PLACE = /^at (?:async |[^()]+ \()?(?!https?:)\S*[\\/][^\s\\/]*:\d+\)?$/;
/** How Python begins a stack, whose last line is the exception. */
const TRACEBACK = 'Traceback (most recent call last)';
/** How .NET and Java begin the cause of an exception. */
const CAUSES = ['---> ', 'Caused by: '];
/** `POST /v1`, as many services set the `instance` of a problem. */
const REQUEST_LINE = /^[A-Z]{3,7} (?:https?:\/)?\/\S*(?: HTTP\/[\d.]+)?$/;
/** A time of day, perhaps with its date, in digits. */
const TIME = /^(?=.*\d:\d\d)[\d\s.,:/+TZ-]+$/;
/**
 * Returns what a text says. Of a stack, that is what is above it, and the last cause: below are names of parameters, and on
 * pages for developers the headers of the request.
 */
function readSaid(text) {
    return cutStack(splitLines(text)).filter(saysSomething).join('\n');
}
/** Whether a line says something, and is not only a time or the request's own line. */
function saysSomething(line) {
    const text = line.trim();
    return !REQUEST_LINE.test(text) && !TIME.test(text);
}
function cutStack(lines) {
    const start = lines.findIndex((line) => line.startsWith(TRACEBACK) || isFrame(line.trim()));
    if (start < 0)
        return lines;
    const traceback = lines.findLastIndex((line) => line.startsWith(TRACEBACK));
    const cause = traceback < 0
        ? lines.findLast(isCause)
        : lines.slice(traceback + 1).find((line) => line !== '' && line === line.trimStart());
    const above = lines.slice(0, start).filter((line) => !isCause(line));
    return [...above, ...(cause === undefined ? [] : [cause])];
}
function isFrame(line) {
    return CALL.test(line) || PLACE.test(line);
}
function isCause(line) {
    return CAUSES.some((start) => line.trimStart().startsWith(start));
}
/** The values of JSON as lines, each with the name of its member, which a list or an object has as a line of its own. */
function listSaid(value, name = '') {
    const label = name === '' ? [] : [`${name}:`];
    if (!isObject(value)) {
        const text = String(value);
        return text === '' || value === null ? [] : [[...label, text].join(' ')];
    }
    const inner = Array.isArray(value)
        ? value.flatMap((each) => listSaid(each))
        : Object.entries(value).flatMap(([key, member]) => listSaid(member, key));
    return [...label, ...inner];
}

;// CONCATENATED MODULE: ./lib/service/page.js


/** What may stand before the root of a page or of XML: comments, instructions, and a document type with its name. */
const PROLOG = /(?:<!--[^]*?-->|<\?[^]*?\?>|<!doctype\s+([^\s>[]+)(?:\s[^>[]*)?(?:\[[^\]]*\][^>]*)?(?:>|$))\s*/giy;
const ROOT = /^<([^\s/>[!?][^\s/>[]*)/;
/** Comments, and elements that are not shown. */
const UNSHOWN = /<!--[^]*?(?:-->|$)|<(script|style|noscript|template)\b[^]*?(?:<\/\1[^<>]*>?|$)/gi;
/** An element of XML with its text. */
const ELEMENT = /<(?:[\w-]+:)?([\w-]+)(?:\s[^<>]*)?(?<!\/)>[^<]*/g;
/** Elements of a problem in XML that say nothing, and those that are not shown: its `type` decides, an id is no message. */
const UNSAID = ['instance'];
const UNSHOWN_ELEMENTS = [...UNSAID, 'type', 'traceid'];
const TITLE = /<title\b[^<>]*>([^<]*)/i;
/** A tag, a comment or an instruction, even if it does not end. */
const HTML_TAG = /<(?=[a-z/!?])\/?([\w:-]*)[^<>]*>?/gi;
/** Elements within a line; all others begin a new line. */
const INLINE = 'a abbr b cite code em font i ins kbd small span strong tt u'.split(' ');
/** The characters from U+00A1 to U+00FF as references name them, in their order. */
const LATIN = 'iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
/** The names of references that pages use. */
const REFERENCES = new Map([
    ...LATIN.split(' ').map((name, index) => [name, String.fromCodePoint(0xa1 + index)]),
    ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
    ...Object.entries({ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', ndash: '–', mdash: '—' }),
    ...Object.entries({ bull: '•', hellip: '…', trade: '™', euro: '€' }),
]);
/** Whether a text that is not JSON is a web page, such as a login page, even if its type does not say so. */
function isWebPage(type, text) {
    const names = listRoots(text).map((name) => name.toLowerCase().split(':').at(-1));
    if (names.includes('html'))
        return true;
    if (/^<[\p{L}!?/]/u.test(text) && !page_isXml(type, text))
        return true;
    return isHtml(type) && (text.length > 200 || splitLines(text).length > 1);
}
function page_isXml(type, text) {
    const isDeclared = ['/xml', '+xml'].some((end) => type.endsWith(end)) && !isHtml(type);
    return text.startsWith('<?xml') || (isDeclared && text.startsWith('<'));
}
function isHtml(type) {
    return ['text/html', 'application/xhtml+xml'].includes(type);
}
/** The names of a document's type and of its root element, as far as it has them. */
function listRoots(text) {
    const prolog = Array.from(text.matchAll(PROLOG));
    const last = prolog.at(-1);
    const root = ROOT.exec(last === undefined ? text : text.slice(last.index + last[0].length));
    return [...prolog, root].flatMap((found) => found?.[1] ?? []);
}
/** The target of a page that is only a link, as Go writes one with a redirect; undefined for any other page. */
function findLink(text) {
    return /^<a href="([^"]*)">[^<]*<\/a>\.?$/i.exec(text)?.[1];
}
/** The title of a page; empty if it has none. */
function findTitle(text) {
    const [, title = ''] = TITLE.exec(text.replace(UNSHOWN, '')) ?? [];
    return decodeReferences(title);
}
/** Returns a page or XML without its tags, with a line for each element, and of any other text what it says. */
function readMarkup(text, unsaid = UNSAID) {
    // A sentence may begin with a tag, as `<bom> is missing` does.
    if (!text.startsWith('<') || !/<(?:[/!?]|html|p>)/i.test(text))
        return readSaid(text);
    const shown = text
        .replace(UNSHOWN, '')
        .replace(ELEMENT, (element, name) => unsaid.includes(name.toLowerCase()) ? '' : element)
        // Lines of a stack stay lines.
        .replaceAll(/\n(?![ \t]*at )/g, ' ')
        .replace(HTML_TAG, (_, name) => (INLINE.includes(name.toLowerCase()) ? '' : '\n'));
    return readSaid(stripInvisible(decodeReferences(shown)));
}
/** Replaces the references in a text by their characters. HTML allows numbers without a semicolon. */
function decodeReferences(text) {
    return text.replace(/&(?:#\d+;?|#x[\da-f]+;?|[a-z\d]+;)/gi, (reference) => {
        const name = reference.slice(1).replace(';', '');
        const small = name.toLowerCase();
        if (!small.startsWith('#'))
            return REFERENCES.get(name) ?? REFERENCES.get(small) ?? reference;
        const code = Number(small.replace('#', '').replace('x', '0x'));
        return code <= 0x10_ff_ff ? String.fromCodePoint(code) : reference;
    });
}

;// CONCATENATED MODULE: ./lib/service/stated-failure.js


// Whether an object of a 2xx reports a failure or a success at its root: docs/interface.md, Successes, has the rule. Names
// of members are written as `foldName` returns them, and values as `readWord` does.
const split = (words) => words.split(' ');
const FLAGS = split('success succeeded successful ok issuccess issuccessful isvalid');
const OUTCOMES = ['status', 'state', 'outcome'];
const CODES = ['statuscode', 'httpstatus', 'code', 'errorcode'];
/** Members with errors of several fields or files. */
const ERROR_LISTS = ['errors', 'errormessages', 'validationerrors'];
const SOFT_ERRORS = [...ERROR_LISTS, 'errormessage'];
const stated_failure_ERRORS = ['error', 'exception', 'fault', ...SOFT_ERRORS];
/** Members that only warn beside a success. */
const OVERRULED = ['result', ...SOFT_ERRORS];
/** What an object for an error says, besides its class. */
const ERROR_TEXTS = ['message', 'description', 'detail', 'details', 'title'];
/** What a member for errors says if there is none. It may also begin with `no error`. */
const NO_ERROR = ['none', 'null', 'false', 'no', 'ok', 'success', 'n/a'];
const FAILURE_WORDS = split('error fail failed failure rejected refused denied unauthorized forbidden invalid');
const SUCCESS_WORDS = split('ok success succeeded accepted created received stored uploaded queued pending processing processed done completed');
const FAILURES = [
    [FLAGS, ['false', '0', ...FAILURE_WORDS]],
    [['status'], ['false', ...listNumbers(400, 599)]],
    [CODES, listNumbers(400, 599)],
    [[...OUTCOMES, 'result'], FAILURE_WORDS],
    [['iserror', 'haserror', 'haserrors', ...stated_failure_ERRORS], ['true']],
];
const SUCCESSES = [
    [FLAGS, ['true']],
    [OUTCOMES, SUCCESS_WORDS],
    [CODES, ['0', ...listNumbers(200, 299)]],
];
/** The members of an object; none of a list. */
function stated_failure_readMembers(value) {
    const members = Object.entries(value);
    return members.map(([key, member]) => {
        const name = stripInvisible(key);
        return { name, folded: foldName(name), value: member };
    });
}
function reportSuccess(members) {
    return members.some((member) => isOne(SUCCESSES, member));
}
/** The members of an object that report a failure, and whether a success beside them overrules it. */
function listFailures(value) {
    const members = stated_failure_readMembers(value);
    const hasSuccess = reportSuccess(members);
    return members
        .filter((member) => reportsFailure(member, hasSuccess))
        .map((member) => ({ ...member, isOverruled: hasSuccess && OVERRULED.includes(member.folded) }));
}
/** Whether the name of a member is about failures, such as `isFailure` or `error`: if it is false, there is none. */
function isOfFailure(name) {
    const stems = [...FAILURE_WORDS, 'err', 'fault', 'exception', 'warn', 'cancel'];
    return stems.some((stem) => foldName(name).includes(stem));
}
function reportsFailure(member, hasSuccess) {
    return (isOne(FAILURES, member) ||
        (stated_failure_ERRORS.includes(member.folded) && statesError(member.value, hasSuccess)));
}
function isOne(rules, { folded, value }) {
    const word = readWord(value);
    return rules.some(([names, words]) => names.includes(folded) && words.includes(word));
}
/**
 * Whether a value is, or contains, a text that states an error. Results of .NET have an error beside a success, which says
 * that there is none, or nothing but its class.
 */
function statesError(value, hasSuccess) {
    // The loop also reaches the values that it appends. Calls could not be nested as deep as JSON may be.
    const values = [value];
    for (const each of values) {
        if (typeof each === 'string' && isErrorText(each))
            return true;
        if (!isObject(each))
            continue;
        const members = listMembers(each);
        if (hasGoodCode(members, hasSuccess))
            continue;
        const said = members.filter(([name]) => hasSuccess && ERROR_TEXTS.includes(name));
        for (const [, member] of said.length > 0 ? said : members)
            values.push(member);
    }
    return false;
}
function isErrorText(text) {
    const word = foldName(stripInvisible(text));
    return /\p{L}/u.test(word) && !NO_ERROR.includes(word) && !word.startsWith('noerror');
}
function hasGoodCode(members, hasSuccess) {
    const codes = members.filter(([name]) => name === 'code').map(([, code]) => readWord(code));
    return codes.some((code) => ['0', '200'].includes(code) || (hasSuccess && code.endsWith('none')));
}
/** A text, a number or a boolean as a word in lower case. */
function readWord(value) {
    return isObject(value) ? '' : stripInvisible(String(value)).trim().toLowerCase();
}
/** The numbers from `first` to `last` as words. */
function listNumbers(first, last) {
    return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

;// CONCATENATED MODULE: ./lib/service/verdict.js




const FAILURE_TEXTS = 'error|failed|failure|exception|unauthorized|forbidden|denied|rejected|access denied|permission denied|upload failed'.split('|');
/** How the document type or the root of an error in XML ends. */
const ERROR_ROOTS = ['error', 'fault', 'problem'];
const PROBLEM_TYPE = 'application/problem+json';
/** The members of a problem that are texts. */
const PROBLEM_TEXTS = ['type', 'title', 'detail', 'instance'];
/** A longer member or line is only named, because what it says is shown by itself. */
const MAX_STATED_CHARACTERS = 100;
/** Whether the body of a response with this status may confirm an upload. */
function verdict_isSuccess(status) {
    return status >= 200 && status < 300;
}
/** Reads what a response is, and of a 2xx whether it reports a failure. */
function readVerdict(status, body) {
    const kind = readKind(body);
    if (!verdict_isSuccess(status) || kind === 'web-page' || !body.isRead)
        return { kind };
    if (reportsProblem(body))
        return { kind: 'problem', statedFailure: 'is a problem' };
    const statedFailure = verdict_findFailure(body);
    return statedFailure === undefined ? { kind: 'success' } : { kind, statedFailure };
}
/** What a body is by itself. */
function readKind({ type, text, value }) {
    if (isProblemDetails(type, value))
        return 'problem';
    if (isObject(value))
        return 'json';
    return value === undefined && isWebPage(type, text) ? 'web-page' : 'other';
}
/**
 * Whether the JSON of a refusal is a problem. The interface allows text/plain, application/json and text/json for it, so
 * its members decide, unless it is declared as one. Frameworks have a `status` beside `error` or `message` in errors of
 * their own.
 */
function isProblemDetails(type, value) {
    if (!isRecord(value))
        return false;
    const has = (name) => Object.hasOwn(value, name);
    const isFramework = has('error') || has('message');
    return type === PROBLEM_TYPE || PROBLEM_TEXTS.some(has) || (has('status') && !isFramework);
}
/** Whether a 2xx reports a problem: declared as one, or with three of its members, as a success may have one or two. */
function reportsProblem({ type, value }) {
    if (!isRecord(value))
        return false;
    const members = stated_failure_readMembers(value);
    const known = new Set(members.filter(isOfProblem).map(({ folded }) => folded));
    const isDeclared = type === PROBLEM_TYPE && (known.has('title') || known.has('detail'));
    return isDeclared || (known.size >= 3 && !reportSuccess(members));
}
function isOfProblem({ folded, value }) {
    if (folded === 'status')
        return value === null || typeof value === 'number';
    if (folded !== 'type')
        return PROBLEM_TEXTS.includes(folded);
    return value === null || (typeof value === 'string' && /[:/]/.test(value));
}
function verdict_findFailure({ type, text, value }) {
    // Nothing is searched below the root, and a list has no members of its own.
    if (isRecord(value))
        return findFailedMember(value);
    if (value !== undefined)
        return value === false ? 'says `false`' : undefined;
    const names = page_isXml(type, text) ? listRoots(text) : [];
    const root = names.find((name) => ERROR_ROOTS.some((end) => name.toLowerCase().endsWith(end)));
    return root === undefined ? findFailedText(text) : `is <${stripInvisible(root)}>`;
}
/** The member that reports a failure, as ``says `state: FAIL` ``; of a long one its name. */
function findFailedMember(object) {
    const failed = listFailures(object).find(({ isOverruled }) => !isOverruled);
    if (failed === undefined)
        return undefined;
    const { name, value } = failed;
    return isObject(value) ? verdict_quote(name) : verdict_quote(`${name}: ${String(value)}`, name);
}
/** The first line of a text, if it is, or begins before a colon with, words of failure. */
function findFailedText(text) {
    const [line = ''] = splitLines(text);
    const [start = '', rest = ''] = line.split(':', 2);
    const words = start.trim().replace(/[.!]$/, '').trim();
    const isFailure = FAILURE_TEXTS.includes(words.toLowerCase());
    // `Failed: 0` counts what failed.
    return isFailure && !/^\s*(?:0|none)\s*(?:,|$)/i.test(rest) ? verdict_quote(line, words) : undefined;
}
/** How a text is quoted; of a long one only `part`. */
function verdict_quote(text, part = text) {
    const shown = text.length > MAX_STATED_CHARACTERS ? part : text;
    return `says \`${stripInvisible(cutText(shown, MAX_STATED_CHARACTERS))}\``;
}

;// CONCATENATED MODULE: ./lib/plan/plan.js

/** A file by its role and path, for messages: `SBOM 'bom.cdx.json'`. */
function describePart({ part, file }) {
    return `${nameRole(part)} '${file.displayPath}'`;
}
/** What a part is for people. */
function nameRole({ expects }) {
    return { SBOM: 'SBOM', report: 'Report', either: 'Scan file' }[expects];
}
/** The files of an upload with their sizes, for messages. */
function describeFiles({ parts }) {
    return parts.map(({ file }) => `${file.displayPath} (${formatBytes(file.size)})`).join(', ');
}

;// CONCATENATED MODULE: ./lib/service/headers.js
/**
 * Reads Retry-After as seconds or as a date in GMT (RFC 9110, section 10.2.3). Returns milliseconds from now, at least 0,
 * or undefined for any other text.
 */
function parseRetryAfter(value = '') {
    // Infinity would make sums and differences of waits NaN.
    if (/^\d+$/.test(value))
        return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
    const date = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
    return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
/** The schemes of a challenge (RFC 9110, section 11.6.1): each begins a part that is no parameter. */
function listSchemes(challenge = '') {
    const parts = challenge.replaceAll(/"[^"]*"/g, '""').split(',');
    return parts.flatMap((part) => /^([\w.-]{1,40})(?:\s+[^\s=]|$)/.exec(part.trim())?.[1] ?? []);
}
/** Why a challenge refuses a token (RFC 6750, section 3); empty if it does not say. */
function findDescription(challenge = '') {
    return /\berror_description="([^"]*)"/.exec(challenge)?.[1] ?? '';
}
/** The target of a redirect without parameters, which may be of a session; undefined if it is no web address. */
function readTarget({ location = '' }, base) {
    const url = location === '' ? null : URL.parse(location, base.href);
    if (url === null || !['https:', 'http:'].includes(url.protocol))
        return undefined;
    url.pathname = url.pathname.replaceAll(/;[^/]*/g, '');
    return url;
}

;// CONCATENATED MODULE: ./lib/outcomes/listeners.js
// What a refusal says is wrong: each function listens for one thing, and returns the causes that it hears of.


/** Words for what the key names, and for the key. */
const listeners_SCAN = /\b(?:scans?|projects?|keys?)\b/;
/** Formats, and members that only they have. */
const listeners_FORMATS = ['cyclonedx', 'spdx', 'sarif', 'sbom', 'bomformat', 'specversion'];
/** A field that is lacking or not known: as a field error, as a sentence that names it, or as multer says it. */
const FIELD = /^(?:body\.)?(\w+): (?:'[^']*' )?(?:(?:the [\w ]+ |this )?field (?:is )?required|(?:is )?required\.?$|no file was submitted|must not be (?:null|blank|empty))|\b(?:required|missing) (?:request )?(?:field|part|parameter)(?: is missing)?:? (?!is\b|was\b|not\b|missing\b)(?:"[\w.<>?]+ |["'`])?(\w+)|\bunexpected field\b/;
/** How NestJS, Joi, FastAPI, Marshmallow, Symfony, Rails and Zod refuse a field that their form does not have. */
const UNEXPECTED = [
    'NAME should not exist\n',
    '"NAME" is not allowed\n',
    'NAME: extra inputs are not permitted',
    'NAME: extra fields not permitted',
    'NAME: unknown field',
    'NAME: this form should not contain extra fields',
    'unpermitted parameter: :NAME',
    'unpermitted parameters: :NAME',
    "unrecognized key(s) in object: 'NAME'",
];
/** What follows a field of a JSON document, or of another part of the request. */
const OF_NO_FORM = [' at line', ' from query', ' from header'];
/** How servers refuse the host or the protocol of a request. Django, Rails, Vite, Jetty and Kestrel are among them. */
const HOST = /\binvalid (?:hostname|sni\b)|\bhost header\b|\bhttp_host\b|\bblocked hosts?\b|\bhost not permitted|\bthis host\b.{0,100} is not allowed|\bhttp\/[12][.\dx]* only endpoint/;
/** After such a word, the host is one in a file, or behind the service. */
const OTHER_HOST = /\b(?:unknown|resolve|no route to|scan|report|target)\b/;
/** Where FastAPI has a field that is none of the form. */
const OUTSIDE = ['query.', 'header.'];
/** A token against forged requests, which pages send with their forms. Rails has a sentence without its name. */
const FORGERY = /\b(?:anti-?forgery|[cx]srf).{0,80}(?:token|cookie|header|verification|validation|failed)|^the change you wanted was rejected\b/;
/** Segments of paths, and labels of hosts, of sign-ins. */
const SIGN_IN = 'login log-in signin sign-in sign_in sso auth oauth oauth2'.split(' ');
/** What pages say of a service that its operators have switched off. */
const STOPPED = ['app is stopped', 'site is disabled', 'account is suspended'];
/** What IIS says of an upload over its limit, and from how many bytes on. */
const IIS = ['file or directory not found', 'the resource you are looking for'];
const IIS_BYTES = 30_000_000;
/** Whether a response says anything but its status. */
function hasWords({ says }) {
    return says.some((line) => line.split(' ').length > 2);
}
/** Listens for what makes a condition hold. */
function hear(causes, holds) {
    return (evidence) => (holds(evidence) ? causes : []);
}
/** Another host responds in place of the service. */
const leadsElsewhere = hear(['portal'], isElsewhere);
/** A sign-in in front of the service, which another host asks for. */
const asksElsewhere = hear(['foreign-sign-in'], isElsewhere);
function isElsewhere({ lead, task: { url } }) {
    return lead !== undefined && lead.hostname !== url.hostname;
}
/** A sign-in, by the words of its address. */
function leadsToSignIn(evidence) {
    const { lead } = evidence;
    const isOther = isElsewhere(evidence);
    const words = [lead?.pathname.split('/'), isOther ? lead?.hostname.split('.') : []].flat();
    const isSignIn = words.some((word = '') => SIGN_IN.includes(word.toLowerCase()));
    return isSignIn ? [isOther ? 'foreign-sign-in' : 'sign-in'] : [];
}
/** The same of a service that neither challenges the credential nor says what is wrong with it. */
function asksForSignIn(evidence) {
    const isSaid = evidence.challenge !== '' || hasWords(evidence);
    return isSaid ? [] : leadsToSignIn(evidence);
}
/** The operation at another address. Plain HTTP in place of TLS is never proposed: it would send token and files unencrypted. */
const movesOperation = hear(['move'], ({ lead, task: { url } }) => {
    const [, operation = ''] = lead?.pathname.split(OPERATIONS_PATH) ?? [];
    const isWorse = url.protocol === 'https:' && lead?.protocol === 'http:';
    return operation !== '' && !isWorse;
});
/** A field error of a part may quote a finding. */
const asksForForgeryToken = hear(['forgery'], ({ lines }) => lines.some((line) => {
    const field = line.slice(0, Math.max(0, line.indexOf(': ')));
    return FORGERY.test(line) && !PARTS.some(({ name }) => field.includes(name.toLowerCase()));
}));
/** The service's own JSON may speak of other hosts. */
const refusesHost = hear(['host'], ({ isForeign, lines }) => {
    const said = isForeign ? lines : [];
    return said.some((line) => {
        const [before = ''] = line.split(HOST, 1);
        return before !== line && !OTHER_HOST.test(before);
    });
});
/** A page that says nothing but its status: a server in front of the service refused the request before it. */
const isBarePage = hear(['front', 'accepted-front'], (evidence) => evidence.last.response?.kind === 'web-page' && !hasWords(evidence));
/** A page of the service's host in its place. */
const isStopped = hear(['words'], ({ text }) => STOPPED.some((said) => text.includes(said)));
/** AWS API Gateway says so of a path that it does not have. */
const missesStage = hear(['stage'], ({ text }) => text.includes('missing authentication token'));
/** A field that the request does not have: another form is meant. */
const wantsOtherForm = hear(['form'], ({ task: { plan }, lines }) => {
    const names = [SCAN_KEY_PART, ...plan.operation.parts.map(({ name }) => name)].map(foldName);
    return lines.some((line) => {
        const found = FIELD.exec(line);
        const isOfForm = !OF_NO_FORM.some((words) => line.includes(words, found?.index));
        return found !== null && isOfForm && !names.includes(foldName(found.slice(1).join('')));
    });
});
/** A field that the request has, and the form does not: another form is meant. */
const refusesField = hear(['form'], ({ task: { plan }, lines }) => {
    const names = [SCAN_KEY_PART, ...plan.operation.parts.map(({ name }) => name)];
    const texts = names.flatMap((name) => UNEXPECTED.map((text) => text.replace('NAME', name.toLowerCase())));
    return lines.some((line) => texts.some((text) => `${line}\n`.includes(text)));
});
/** A field of the request that the action does not send: nothing that it sends is wrong. */
const wantsOtherField = hear(['words'], ({ lines }) => lines.some((line) => OUTSIDE.some((start) => line.startsWith(start))));
/** The key and the files, by the names of their parts. What is shown decides before the rest. */
function namesInputs({ task, text, lines }) {
    const shown = listNamed(lines.join('\n'), task);
    return shown.length > 0 ? shown : listNamed(text, task);
}
function listNamed(text, { plan, scanKey }) {
    const isOfKey = listeners_hasName(text, SCAN_KEY_PART) || text.includes(scanKey.toLowerCase());
    const named = plan.operation.parts.filter(({ name }) => listeners_hasName(text, name));
    const isOfFormat = named.length === 0 && listeners_FORMATS.some((name) => text.includes(name));
    return [
        ...(isOfKey ? ['key'] : []),
        ...named.map(({ name }) => name),
        ...(isOfFormat ? ['files'] : []),
    ];
}
/** Whether a text in lower case has a name, which services spell in many ways: `scan_key`. */
function listeners_hasName(text, name) {
    const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
    return ['', '_', '-', ' '].some((separator) => text.includes(words.join(separator)));
}
/** A server that does not know the path often says it. */
const namesPath = hear(['address', 'accepted-address'], ({ task: { url }, lines }) => {
    const path = url.pathname.slice(url.pathname.lastIndexOf(OPERATIONS_PATH) + 1);
    return lines.some((line) => line.includes(path));
});
/** What is not found. A page may have such words in its navigation. */
const namesKey = hear(['key'], ({ last: { response }, task, lines }) => {
    const words = lines.join('\n');
    const isOfScan = response?.kind !== 'web-page' && listeners_SCAN.test(words);
    return isOfScan || listNamed(words, task).includes('key');
});
/** The action adds /v1 itself. */
const doublesVersion = hear(['address'], ({ task: { url } }) => url.pathname.includes(`/v1${OPERATIONS_PATH}`));
/** Of a problem, the service has the path, or its framework says so of any. */
const isFoundByService = hear(['key', 'address', 'accepted-address'], ({ last: { response } }) => response?.problem !== undefined);
/** IIS hides its limit. */
const hidesLimit = hear(['size', 'address'], ({ headers, task, text }) => {
    const isOfIis = String(headers.server).startsWith('Microsoft-IIS');
    return isOfIis && task.body.length > IIS_BYTES && IIS.some((said) => text.includes(said));
});

;// CONCATENATED MODULE: ./lib/outcomes/connection-listeners.js
// What an attempt shows of its connection: the first that is heard is the cause, else the likely one.





/** The alert of a server that has no such host (RFC 8446, section 6.2). */
const UNRECOGNIZED_NAME = 112;
const NETWORK = {
    hears: [
        hear(['no-ipv6'], ({ error }) => error.isWithoutIpv6 === true),
        hear(['dropped'], ({ last, error }) => last.failure?.kind === 'limit' || error.code === 'ETIMEDOUT'),
        hear(['local-port'], ({ task }) => isLoopback(task.url.hostname)),
    ],
    causes: ['port'],
};
const CERTIFICATE = {
    hears: [
        hear(['other-name'], isForOtherName),
        hear(['clock'], hasCode('CERT_NOT_YET_VALID')),
        hear(['expiry'], hasCode('EXPIRED')),
        hear(['self-signed'], hasCode('DEPTH_ZERO_SELF_SIGNED')),
        hear(['no-ca'], (evidence) => hasNoIssuer(evidence) && evidence.task.inputs.tls.ca === undefined),
        hear(['other-ca'], hasNoIssuer),
    ],
    causes: ['certificate'],
};
/** What is known of `client-cert`. */
const CLIENT = [
    hear(['client-expiry'], ({ task }) => Date.parse(findClientEnd(task)) < Date.now()),
    hear(['client'], ({ task }) => task.inputs.tls.cert !== undefined),
];
/** A server that requires one may close the connection with an alert, or without a word. */
const asksForClient = hear(['no-client'], ({ task, last }) => last.isCertificateRequested && task.inputs.tls.cert === undefined);
/** With an alert that may be about one, and with words that are. */
const CLIENT_ALERT = {
    hears: [...CLIENT, asksForClient],
    causes: ['client-maybe'],
};
const CLIENT_ASKED = { hears: CLIENT, causes: ['no-client'] };
const PROXY_CREDENTIAL = {
    hears: [hear(['proxy-scheme'], asksForOtherScheme)],
    causes: ['proxy-credential'],
};
const PROXY = {
    hears: [
        hear(['proxy'], ({ error }) => error.isOfProxy === true && error.proxyStatus === undefined),
    ],
    causes: ['proxy-way'],
};
const PROTOCOL = {
    hears: [
        hear(['tls-port'], isPlain),
        hear(['plain-port'], ({ error }) => error.isPlainHttp === true),
        hear(['other-port'], hasCode('HPE_')),
        hear(['unknown-host'], ({ error }) => error.alert === UNRECOGNIZED_NAME),
    ],
    causes: ['old-tls'],
};
const BREAK = {
    hears: [
        hear(['gateway-network'], ({ last }) => last.response !== undefined),
        asksForClient,
        // A TLS port resets a plain request at its first bytes, before the files follow.
        hear(['plain-break'], (evidence) => isPlain(evidence) && evidence.last.state === 'asking'),
    ],
    causes: ['break'],
};
function hasNoIssuer(evidence) {
    return hasCode('SELF_SIGNED', 'UNABLE_TO_')(evidence);
}
function hasCode(...parts) {
    return ({ error: { code = '' } }) => parts.some((part) => code.includes(part));
}
function isPlain({ task }) {
    return task.url.protocol === 'http:';
}
/** No trust helps a certificate for other names. Gateways without one for a host have a default, which nobody should trust. */
function isForOtherName(evidence) {
    const { error, task } = evidence;
    if (hasCode('ALTNAME', 'HOSTNAME')(evidence))
        return true;
    const asked = error.isOfProxy === true ? task.inputs.proxy?.url : task.url;
    const whole = error.certificate?.whole;
    try {
        return whole !== undefined && (0,external_node_tls_namespaceObject.checkServerIdentity)(String(asked?.hostname), whole) !== undefined;
    }
    catch {
        // Names that cannot be read are those of no host.
        return true;
    }
}
function asksForOtherScheme({ error }) {
    const asked = listSchemes(error.proxyChallenge).map((scheme) => scheme.toLowerCase());
    return asked.length > 0 && !asked.includes('basic');
}
/** Until when `client-cert` is valid; no date without it. */
function findClientEnd({ inputs }) {
    const { cert = '' } = inputs.tls;
    const [own] = listCertificates(cert);
    return String(own?.validTo);
}

;// CONCATENATED MODULE: ./lib/outcomes/connection-causes.js
// What to do about a connection that failed, a sentence for each cause. The likeliest comes first, where there may be
// several.




/** OpenSSL says so of a certificate that came without others. */
const ALONE = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
/** A service that refuses early closes the connection, and its response may be lost. */
const connection_causes_BREAK = 'Check the host in `base-url`, a firewall, the size limit of the service, and the credential: it may have refused the upload. If it did not, check the network.';
const CONNECTION = {
    name: "Check the host in `base-url`, and the runner's name server. A private network needs a runner inside it, or a proxy: https:// needs `https_proxy`.",
    // It did not come about.
    'no-ipv6': 'Use a runner or a proxy that has IPv6: the host has only an IPv6 address, and this runner, as those of GitHub, has none.',
    dropped: "Let the runner pass a firewall that may drop its packets, or use a runner inside the network. Otherwise check the host and port in `base-url`, and the runner's name server.",
    'local-port': 'Check that the service is running, and the port in `base-url`. In the container of a job use the name of the service: localhost is the container itself.',
    port: 'Check that the service is running, and the scheme, host and port in `base-url`. A firewall may also block the runner: use one inside the network.',
    // Certificates.
    'other-name': (evidence) => `Check the host in ${evidence.error.isOfProxy === true ? 'the proxy variable' : '`base-url`'}, or ask ${nameOperators(evidence)}: the certificate is for other names.`,
    clock: ({ error: { certificate } }) => `Correct the clock of this runner, which says ${new Date().toUTCString()}: the certificate is valid from ${certificate?.validFrom}.`,
    expiry: ({ error: { certificate: { validTo = 'an unknown date' } = {} } }) => `Renew the certificate, which is valid until ${validTo}, or that of its CA, or correct the clock of the runner.`,
    'self-signed': 'Set `ca-cert` to this certificate, if you know it: a self-signed one is its own CA.',
    'no-ca': ({ error, task }) => {
        const extra = task.inputs.tls.isExtraCaMissing === true ? ' NODE_EXTRA_CA_CERTS names no file.' : '';
        const alone = error.code === ALONE
            ? ' If the CA is public, the operators of the server have to send the intermediate certificate too.'
            : '';
        return `Set \`ca-cert\` to the certificate of the CA, if it is private or of a proxy that inspects TLS: it is empty.${extra}${alone}`;
    },
    'other-ca': "Set `ca-cert` to the CA of the server's certificate, up to the root, with the intermediate certificates that the server does not send: what it has does not suffice.",
    certificate: (evidence) => `Ask ${nameOperators(evidence)} for a valid certificate.`,
    'client-expiry': ({ task }) => `Renew \`client-cert\`, which expired on ${findClientEnd(task)}.`,
    client: 'Check that `client-cert` and `client-key` are valid, and that the service trusts their CA.',
    'no-client': 'Set `client-cert` and `client-key`: the service asked for a client certificate.',
    'client-maybe': 'Set `client-cert` and `client-key`, if the service asks for a client certificate.',
    // Proxies.
    'proxy-refusal': ({ task }) => `Ask the operators of the proxy to allow ${nameHost(task.url)}. ${exceptHost(task)}, if no proxy is needed.`,
    'proxy-credential': "Correct, or add, the credentials in the proxy's URL (https_proxy, http_proxy): http://USER:PASSWORD@HOST:PORT, for Basic authentication.",
    'proxy-scheme': ({ error }) => `Ask the operators of the proxy to accept Basic, or the runner without credentials: it asks for ${listSome(listSchemes(error.proxyChallenge), 3)}, and the action supports only Basic.`,
    proxy: 'Check the scheme, host and port of the proxy (https_proxy, http_proxy): most begin with http://, also for https addresses.',
    'proxy-way': ({ task }) => `${exceptHost(task)}, if it is internal. Otherwise check its name and port in \`base-url\`, that the service is up, and that the proxy allows ${nameHost(task.url)}.`,
    // Protocols. Plain HTTP is proposed only if the peer speaks it: it would send token and files unencrypted.
    'tls-port': 'Check the scheme and the port in `base-url`: a TLS port needs https://.',
    'plain-port': 'Check the port in `base-url`, which does not speak TLS. A service without TLS needs http:// and `allow-http: true`.',
    'other-port': 'Check the port in `base-url`: the server does not respond with HTTP.',
    'unknown-host': 'Check the host in `base-url`: the server does not know it.',
    'old-tls': 'Ask the operators of the server, or of a proxy that inspects TLS, to update it: it cannot agree on TLS with this runner.',
    early: 'Check the path in `base-url`, and the credential: something responds without reading the upload, as a login page does.',
    // It broke, or was silent.
    break: connection_causes_BREAK,
    'plain-break': `Begin \`base-url\` with https://, if the port expects TLS. ${connection_causes_BREAK}`,
    'gateway-network': 'Check the network, and gateways in between.',
    stall: 'Check the network, or increase `stall-timeout-seconds` if the service needs longer.',
};
function nameOperators({ error }) {
    return `the operators of the ${error.isOfProxy === true ? 'proxy' : 'service'}`;
}
function exceptHost({ url, inputs: { proxy } }) {
    return proxy?.isMisspelledException === true
        ? `Write only ${url.hostname} in \`no_proxy\`, without scheme and path`
        : 'List the host in `no_proxy` (with commas between hosts)';
}

;// CONCATENATED MODULE: ./lib/outcomes/sentence.js
function spell(sentence, evidence) {
    return typeof sentence === 'function' ? sentence(evidence) : sentence;
}

;// CONCATENATED MODULE: ./lib/outcomes/token.js

/** Schemes of `Authorization`; any other is that of an API key. */
const SCHEMES = ['basic', 'bearer', 'digest', 'negotiate', 'ntlm'];
/** What of `token` is sent: in which header, the value with its prefix, and its first word. All are empty without `token`. */
function readToken({ inputs: { credential }, }) {
    const { header, value } = credential.kind === 'token' ? credential : { header: '', value: '' };
    const [scheme = ''] = value.split(' ', 1);
    return { header, value, scheme };
}
/** How it is sent. Its first word may be one of the token. */
function describeToken(task) {
    const { header, scheme } = readToken(task);
    return SCHEMES.includes(scheme.toLowerCase()) ? `as ${header}: ${scheme}` : `in ${header}`;
}
/** The audience of the OIDC token; empty without one. */
function readAudience({ inputs: { credential } }) {
    return credential.kind === 'oidc' ? credential.audience : '';
}
/** When the JWT in `token` expires (RFC 7519, section 4.1.4), in milliseconds since 1970; NaN for any other text. */
function readExpiry(task) {
    const { exp } = readClaims(task);
    return typeof exp === 'number' ? exp * 1000 : Number.NaN;
}
/** The host of the issuer that the JWT in `token` names (section 4.1.1); undefined if it names none by its address. */
function readIssuer(task) {
    const { iss } = readClaims(task);
    return URL.parse(String(iss))?.host || undefined;
}
function readClaims(task) {
    const [, claims = ''] = readToken(task).value.split('.');
    const value = tryJson(Buffer.from(claims, 'base64url').toString());
    return isObject(value) ? { ...value } : {};
}

;// CONCATENATED MODULE: ./lib/outcomes/credential-causes.js
// What to do about a credential that the service refuses, a sentence for each cause.




const CHECK = 'Check `token`, or renew it';
const OTHER = 'Set `token` to one that was issued for this service.';
const NONE = 'Set `token` without `auth: none`, or `auth: oidc`, or correct the credential in `headers`: the service asks for one.';
const TRUST = 'Ask the operators of the service to trust OIDC tokens of';
const CHECK_TRUST = ({ task }) => `Check \`oidc-audience\` (sent: ${readAudience(task)}), and whether the service trusts OIDC tokens of this repository, branch and \`environment\`.`;
/** A sentence for `auth: token`, and one for `auth: oidc`; without a credential it is always the same. */
function byAuth(token, oidc = CHECK_TRUST) {
    const sentences = { token, oidc, none: NONE };
    return (evidence) => spell(sentences[evidence.task.inputs.credential.kind], evidence);
}
const CREDENTIAL = {
    // What the service says of it.
    credential: byAuth(`${CHECK}.`),
    renewal: byAuth(`${CHECK}.`),
    right: byAuth('Check that the credential may upload for this `scan-key`.'),
    audience: byAuth(OTHER, ({ task }) => `Check \`oidc-audience\`: the service does not accept ${readAudience(task)}.`),
    issuer: byAuth(OTHER, `${TRUST} https://token.actions.githubusercontent.com, GitHub's issuer.`),
    subject: byAuth(OTHER, `${TRUST} this repository, branch and \`environment\`.`),
    // What it asks for, and what was sent.
    'key-header': byAuth(({ task }) => `Set \`token-header\` to the header of the API key, or check \`token\`: it was sent ${describeToken(task)}.`),
    scheme: byAuth(({ task, challenge }) => `Set \`token-prefix\` (for Basic, \`token\` is user:password in Base64), or \`token-header\` for an API key: the service asks for ${nameSchemes(challenge)}, and \`token\` was sent ${describeToken(task)}.`),
    'other-scheme': byAuth(({ challenge }) => `Ask the operators of the service for a token: it asks for ${nameSchemes(challenge)}, which the action does not support.`),
    'token-form': byAuth('Save only the token as the secret, for Basic user:password in Base64: `token` has another character than letters, digits and -._~+/=, as JSON around it or a masked value (***) has.'),
    'token-expiry': ({ task }) => `Renew \`token\`: it is a JWT that expired on ${new Date(readExpiry(task)).toUTCString()}.`,
    'bare-credential': byAuth(({ task }) => `${CHECK}: it was sent ${describeToken(task)}. A secret of the environment wins over those of the repository and the organization.`),
    // Who asks for another one.
    'sign-in': ({ lead }) => `Check how \`token\` is sent, or ask the operators of the service: it asks for a sign-in at ${lead?.pathname}, and did not take \`token\` as a credential of its API.`,
    'foreign-sign-in': ({ task: { url }, lead }) => `${url.host} asks for a sign-in at ${lead?.host}: ask the operators of ${url.host} to let ${url.href} pass without it.`,
    // One that the service accepted for another scan of the step is not wrong.
    'accepted-credential': ({ accepted }) => `Check \`scan-key\`, or ask the operators of the service to allow it: they accepted the credential for \`${accepted}\`.`,
};
function nameSchemes(challenge) {
    return listSome(listSchemes(challenge), 3);
}

;// CONCATENATED MODULE: ./lib/outcomes/causes.js
// What to do about each cause of a failure: the input, or who has to act, in one sentence.








/** How much of an address that a response names is shown. */
const MAX_ADDRESS_CHARACTERS = 200;
const causes_LATER = 'Re-run the failed jobs later, or give the operators the trace id';
/** What to check, as a noun. Several are checked in one sentence. */
const INPUTS = {
    key: () => '`scan-key`',
    files: () => 'the files',
    ScanJsonFile: (task) => namePart(task, 'ScanJsonFile'),
    DependenciesCDX: (task) => namePart(task, 'DependenciesCDX'),
    VulnerabilitiesTool: (task) => namePart(task, 'VulnerabilitiesTool'),
};
const SENTENCES = {
    ...CONNECTION,
    ...CREDENTIAL,
    bug: REPORT_FIX,
    // The address.
    address: fixAddress,
    form: ({ task: { url } }) => `Check \`base-url\`, or ask the operators of the service: it expects another form at ${url.href}.`,
    host: ({ task: { url } }) => `Check the scheme, host and port in \`base-url\`: the server refuses requests to ${nameHost(url)}.`,
    stage: ({ task: { url } }) => `Check \`base-url\`, with its stage (https://host/prod): AWS API Gateway has no path ${url.href}.`,
    tls: 'Begin `base-url` with https://: this port needs it.',
    forgery: 'Check that `base-url` is that of the API: the service wants a token against forged requests here. If it is, its operators must exempt this operation.',
    unreadable: 'Check that `base-url` is that of the service. It, or a gateway in front of it, must respond with JSON, text or XML of at most 1 MiB, not compressed, or with gzip or deflate.',
    move: ({ lead }) => {
        const [base = ''] = `${lead?.origin}${lead?.pathname}`.split(OPERATIONS_PATH);
        return `Set \`base-url\` to ${cutText(base, MAX_ADDRESS_CHARACTERS)}, if this is your service.`;
    },
    redirect: 'Check `base-url` and the credential: this may lead to a login page, a portal or a firewall.',
    'accepted-address': ({ accepted }) => `Re-run the failed jobs later, or ask the operators of the service: the address accepted \`${accepted}\`.`,
    // Size, rate and time.
    size: ({ task: { plan, body } }) => `Reduce the size of the files (${describeFiles(plan)}), or raise the limit of the service or a gateway: the upload has ${formatBytes(body.length)}.`,
    headers: fixHeaders,
    rate: 'Re-run the failed jobs later.',
    slow: 'Check the network between the runner and the service, and the time limit of the server for requests: the upload arrived too slowly.',
    // Who has to act.
    front: ({ task: { url } }) => `This page is not the service's: ask the operators of what is in front of it to let ${url.href} pass, or correct \`base-url\`.`,
    'accepted-front': ({ task: { url }, accepted }) => `This page is not the service's, which accepted \`${accepted}\`: ask the operators of what is in front of it to let ${url.href} pass.`,
    portal: ({ task: { url }, lead }) => `Ask the operators of the network, or of the service, to let ${url.href} pass: ${lead?.host} responds in its place. Or correct \`base-url\`.`,
    challenge: ({ task: { url } }) => `Ask the operators of the service to let ${url.href} pass without a challenge.`,
    words: 'Ask the operators of the service, with what it says and the trace id.',
    operators: 'Ask the operators of the service, with the trace id.',
    conflict: 'Check the scan of this `scan-key` in the service; if it was only busy, re-run the failed jobs later.',
    crash: 'Re-run the failed jobs later. If it fails again, give the operators the trace id: a file may cause it.',
    outage: `${causes_LATER}: the service is not available, or a gateway cannot reach it.`,
    gateway: `${causes_LATER}: a gateway got no valid response from the service.`,
    'gateway-timeout': `${causes_LATER}: a gateway got no response from the service in time.`,
};
/** After these, another cause is an alternative. Others are checked first. */
const OPEN = ['words', 'operators', 'size'];
/** What to do, a text for each of at most two causes; inputs that are to be checked are one. */
function spellCauses(causes, evidence) {
    const inputs = causes.filter(isInput).map((cause) => INPUTS[cause](evidence.task));
    const check = `Check ${inputs.join(' and ')}.`;
    const texts = causes.map((cause) => (isInput(cause) ? check : spell(SENTENCES[cause], evidence)));
    const [first = '', second] = new Set(texts);
    // Its sentence has the operators, too.
    if (second === undefined || causes[0] === 'accepted-address')
        return texts.slice(0, 1);
    const isOpen = OPEN.some((cause) => cause === causes[0]);
    return [first, `${isOpen ? 'Or' : 'If that is right,'} ${beginSmall(second)}`];
}
/** A sentence that follows a colon or a comma; a name keeps its first letter. */
function beginSmall(sentence) {
    return sentence.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}
function isInput(cause) {
    return cause in INPUTS;
}
function namePart({ plan }, name) {
    const found = plan.parts.find(({ part }) => part.name === name);
    return found === undefined ? name : found.file.displayPath;
}
/** Names the longest header of the inputs; the length of an OIDC token is not known here. */
function fixHeaders({ task: { inputs } }) {
    const { header: name = 'of the request', value = '' } = inputs.credential;
    const own = { name, value };
    const [longest = own] = [own, ...inputs.headers].toSorted((one, other) => other.value.length - one.value.length);
    return `Shorten the header ${longest.name}, the longest that is set, or raise the limit of the service or a gateway.`;
}
/** The action adds /v1 itself, but it may also be part of a gateway's path. */
function fixAddress({ task: { url } }) {
    return url.pathname.includes(`/v1${OPERATIONS_PATH}`)
        ? `Remove /v1 from the end of \`base-url\`, unless a gateway needs it: the action adds it itself. The upload went to ${url.href}.`
        : `Check \`base-url\`: the upload went to ${url.href}.`;
}

;// CONCATENATED MODULE: ./lib/outcomes/results.js
/** The results of a scan from the worst to the best; that of a step is the worst of its scans. */
const RANKED = [
    // The service may have the whole body, but did not confirm it.
    'unconfirmed',
    'rejected',
    // It cannot have the whole body.
    'not-sent',
    'skipped',
    'dry-run',
    'accepted',
];
/** The results with which a scan or a step succeeds; the first two only if an input asked for it. */
const results_SUCCESSES = ['skipped', 'dry-run', 'accepted'];
const ICONS = {
    unconfirmed: '❓',
    rejected: '❌',
    'not-sent': '❌',
    skipped: '⏭️',
    'dry-run': 'ℹ️',
    accepted: '✅',
};
/** A result, or a reason, in a sentence: accepted findings would be accepted risks. */
function results_toWords(name) {
    return name === 'accepted' ? 'uploaded' : name.replaceAll('-', ' ');
}

;// CONCATENATED MODULE: external "node:http"
const external_node_http_namespaceObject = require("node:http");
;// CONCATENATED MODULE: ./lib/outcomes/headline.js






/** A text that is longer follows what else a response says. */
const headline_MAX_TEXT_CHARACTERS = 300;
/** Where an attempt was when it ended. */
const STATE_WORDS = {
    credential: 'while the OIDC token was being fetched',
    connecting: 'while connecting',
    asking: 'before the files were sent',
    sending: 'while the files were being sent',
    flushing: 'while the files were being sent',
    waiting: 'after everything was sent, before a response arrived',
    reading: 'while the response was being read',
};
/** Errors that may end an attempt anywhere. */
const ANYWHERE = ['time-limit', 'cancelled'];
/** Of a host whose name does not resolve. */
function ofName({ error, task: { url } }) {
    return [`The name ${url.hostname} does not resolve: ${error.text}`];
}
/** Of a certificate that is not trusted. */
function ofCertificate({ error, task }) {
    const whose = error.isOfProxy === true ? `the ${nameProxy(task)}` : task.url.origin;
    return [`The certificate of ${whose} is not trusted: ${error.text}`];
}
/** Of a proxy that refused to connect. */
function ofProxyRefusal(evidence) {
    return [describeProxy(evidence, 'refused the connection to')];
}
/** Of a proxy that did not connect; it may also end its tunnel without a word. */
function ofProxy(evidence) {
    const { isOfProxy, proxyStatus } = evidence.error;
    if (isOfProxy !== true)
        return ofEnd(evidence);
    const did = proxyStatus === undefined ? 'opened no connection to' : 'could not reach';
    return [describeProxy(evidence, did)];
}
const ofEarly = needResponse(({ status }, { last, task: { url } }) => {
    const when = last.isSent ? 'the connection had taken everything' : 'everything was sent';
    return [`${url.origin} responded with ${nameStatus(status)} before ${when}.`];
});
const ofUnreadable = needResponse((response, { last, task }) => {
    const whose = nameResponse(response, task);
    return last.failure?.kind === 'too-long'
        ? [`${whose} is too long: more than 1 MiB.`]
        : [`${whose} cannot be read: it is neither text nor XML, nor JSON that is whole.`];
});
/** A redirect is not followed, because it would send the token and the files to another address. */
const ofRedirect = needResponse(({ status }, { lead, task: { url } }) => {
    const name = nameStatus(status);
    if (lead === undefined)
        return [`${url.origin} responded with ${name} without a usable target.`];
    const path = lead.pathname === '/' ? '' : lead.pathname;
    const address = cutText(`${lead.origin}${path}`, MAX_ADDRESS_CHARACTERS);
    return [`${url.origin} redirects to ${address} (${name}); redirects are not followed.`];
});
const ofChallenge = needResponse(({ status, says }, { task: { url } }) => [
    `The firewall of Cloudflare in front of ${url.origin} responded with a challenge (${nameStatus(status)}), which only a browser can pass: nothing was accepted.`,
    ...says,
]);
const ofPage = needResponse(({ status, says: [first, ...others] }) => {
    const said = first === undefined ? ', not a response of the service.' : `: ${first}`;
    return [`Nothing was accepted: ${nameStatus(status)}, but a web page${said}`, ...others];
});
const ofRefusal = needResponse(describeRefusal);
const ofCredential = needResponse((response, { challenge, task }) => {
    const isSaid = challenge === '' || findDescription(challenge) !== '';
    const issuer = readIssuer(task);
    return [
        ...describeRefusal(response),
        ...(isSaid ? [] : [`The service asks for: \`${challenge}\``]),
        ...(issuer === undefined ? [] : [`\`token\` is a JWT of ${issuer}.`]),
    ];
});
/** Of an error, a limit or the connection, also while a success was being read. */
function ofEnd(evidence) {
    const { last, task } = evidence;
    const { response, failure } = last;
    const end = describeEnd(evidence);
    if (response !== undefined)
        return [`${nameResponse(response, task)} is not complete. ${end}`];
    return failure?.kind === 'step' ? [end, ...failure.error.faults.slice(1)] : [end];
}
/** Of a service that did not respond after everything was sent. */
function ofSilence({ last: { failure }, task }) {
    const limit = failure?.kind === 'limit' ? ` within ${failure.limitMs / 1000} s` : '';
    return [`Everything was sent to ${nameService(task)}, but there was no response${limit}.`];
}
/** Makes a headline that needs the response. Without one, it is that of the end. */
function needResponse(describe) {
    return (evidence) => {
        const { response } = evidence.last;
        return response === undefined ? ofEnd(evidence) : describe(response, evidence);
    };
}
function describeEnd({ last, task }) {
    const { failure, state } = last;
    const share = formatShare(last.sentBytes, task.body.length);
    const sent = last.sentBytes > 0 && !last.isSent ? `, after ${share}` : '';
    if (failure?.kind === 'step') {
        const { situation, faults } = failure.error;
        const [text = ''] = faults;
        return ANYWHERE.includes(situation)
            ? `${text.slice(0, -1)} ${STATE_WORDS[state]}${sent}.`
            : text;
    }
    if (failure?.kind === 'connection') {
        return `The connection to ${nameService(task)} failed ${STATE_WORDS[state]}${sent}: ${failure.error.text}`;
    }
    return failure?.kind === 'limit'
        ? `No data was sent to or received from ${nameService(task)} for ${failure.limitMs / 1000} s ${STATE_WORDS[state]}.`
        : `The upload to ${task.url.origin} ended without a response.`;
}
/** What a refusal says: a problem speaks for itself, other texts follow their status, and what a 2xx is refused for. */
function describeRefusal(response) {
    const { status, says, problem, statedFailure } = response;
    const [text = '', ...fields] = says;
    // Errors of fields say more.
    const isLong = text.length > headline_MAX_TEXT_CHARACTERS && fields.length > 0;
    const [first, ...others] = isLong ? [...fields, text] : says;
    const reported = statedFailure === undefined ? '' : `, but the body ${statedFailure}`;
    const name = `${nameStatus(status)}${reported}`;
    if (first === undefined || reported.includes(first))
        return [name, ...others];
    const isWhole = problem !== undefined && reported === '';
    return [isWhole ? first : `${name}: ${first}`, ...others];
}
function nameService(task) {
    const { url, inputs } = task;
    return inputs.proxy === undefined ? url.origin : `${url.origin} (through the ${nameProxy(task)})`;
}
function nameProxy({ inputs: { proxy } }) {
    return `proxy ${proxy?.url.host}`;
}
function describeProxy({ error, task }, did) {
    const { text, proxyStatus } = error;
    const why = proxyStatus === undefined ? text : `${nameStatus(proxyStatus)}.`;
    return `The ${nameProxy(task)} ${did} ${nameHost(task.url)}: ${why}`;
}
function nameResponse({ status }, { url }) {
    return `The response of ${url.origin} (${nameStatus(status)})`;
}
/** A status with its name: `HTTP 502 Bad Gateway`. */
function nameStatus(status) {
    const name = external_node_http_namespaceObject.STATUS_CODES[status];
    return name === undefined ? `HTTP ${status}` : `HTTP ${status} ${name}`;
}

;// CONCATENATED MODULE: ./lib/outcomes/credential-listeners.js
// What a refusal says of the credential, what its challenge asks for, and what the credential says of itself.



const UNSUPPORTED = ['digest', 'negotiate', 'ntlm'];
const KEY_NAMES = ['ApiKey', 'SubscriptionKey'];
/** Words of authentication, and of what a credential may do; not those of a firewall about an address. */
const AUTHENTICATION = /\b(?:tokens?|jwt|credentials?|api.?keys?|authentic|audience|issuer)/;
const RIGHT = /^(?!.*\bip address\b).*(?:(?:\b|_)(?:permissions?|privileges?|roles?|scopes?|(?:un)?authori[sz])|\b(?:key|token) (?:may not|has no access|does not have access|is not allowed)\b)/m;
/** Why a credential is not accepted any more. */
const OVER = ['expired', 'revoked'];
/** The parts of a credential that a service may name, also as claims of a JWT (RFC 7519, section 4.1). */
const credential_listeners_PARTS = {
    audience: ['audience', 'aud claim'],
    issuer: ['issuer', 'iss claim'],
    subject: ['subject', 'sub claim'],
};
/** Of a token, its subject is nothing to check. */
const TOKEN_PARTS = ['audience', 'issuer'];
const OIDC_PARTS = [...TOKEN_PARTS, 'subject'];
/** Not the form of a credential (RFC 9110, section 11.2: token68). Tokens of Laravel also have a bar: `12|abc`. */
const OTHER_FORM = /^(?:basic|bearer) (?![\w.~+/|-]+=*$)/i;
/** The JWT in `token` says by itself that it is over. */
const isExpired = hear(['token-expiry'], ({ task }) => readExpiry(task) <= Date.now());
const isOver = hear(['renewal'], (evidence) => OVER.some((word) => credential_listeners_readWords(evidence).includes(word)));
/** What is wrong with the credential. */
const REFUSED = [isExpired, isOver, namesPart];
/** What was sent in place of what the service asks for. */
const SENT = [
    hear(['key-header'], wantsKey),
    hear(['other-scheme'], wantsUnsupported),
    hear(['scheme'], (evidence) => listAsked(evidence).length > 0 && !isAsked(evidence)),
    hear(['token-form'], ({ task }) => OTHER_FORM.test(readToken(task).value)),
    hear(['credential'], ({ says }) => says.length > 0),
];
/** The same where the credential is one cause of several: something else may have expired. */
const FORBIDDEN = [
    (evidence) => {
        const over = [...isExpired(evidence), ...isOver(evidence)];
        return isOfCredential(evidence) ? over.slice(0, 1) : [];
    },
    namesPart,
    hear(['right', 'accepted-credential'], ({ challenge, text }) => challenge !== '' || RIGHT.test(text)),
    hear(['credential', 'accepted-credential'], isOfCredential),
];
/** The part of the credential that the service names. */
function namesPart(evidence) {
    const words = credential_listeners_readWords(evidence);
    const parts = evidence.task.inputs.credential.kind === 'oidc' ? OIDC_PARTS : TOKEN_PARTS;
    const named = parts.filter((part) => credential_listeners_PARTS[part].some((word) => words.includes(word)));
    return named.length > 0 ? [...named.slice(0, 1), 'accepted-credential'] : [];
}
function isOfCredential(evidence) {
    return AUTHENTICATION.test(credential_listeners_readWords(evidence));
}
/** What a refusal says, with its challenge. */
function credential_listeners_readWords({ text, challenge }) {
    return `${text}\n${challenge}`.toLowerCase();
}
/** An API key that was sent as a token. */
function wantsKey(evidence) {
    const { lines, challenge } = evidence;
    const words = [...lines, challenge.toLowerCase()].join('\n');
    const isNamed = KEY_NAMES.some((name) => listeners_hasName(words, name));
    return isNamed && isInAuthorization(evidence) && !isAsked(evidence);
}
function isInAuthorization({ task }) {
    return readToken(task).header.toLowerCase() === 'authorization';
}
/** The schemes of a challenge, in lower case. */
function listAsked({ challenge }) {
    return listSchemes(challenge).map((scheme) => scheme.toLowerCase());
}
/** Whether a challenge asks for what was sent. A header of its own has an API key. */
function isAsked(evidence) {
    const asked = listAsked(evidence);
    return isInAuthorization(evidence)
        ? asked.includes(readToken(evidence.task).scheme.toLowerCase())
        : asked.some((scheme) => !SCHEMES.includes(scheme));
}
function wantsUnsupported(evidence) {
    const asked = listAsked(evidence);
    return asked.length > 0 && asked.every((scheme) => UNSUPPORTED.includes(scheme));
}

;// CONCATENATED MODULE: ./lib/outcomes/situations.js
// What can become of a step, a scan or an attempt to upload one, and all that follows from it. `judge` says when,
// `headline` what happened, `causes` what to do.




const NO_OIDC = 'the job may not request the OIDC token';
const NO_CREDENTIAL = 'the service rejected the credential';
const ALWAYS = Number.POSITIVE_INFINITY;
const NOT_SENT = ['not-sent', 'not-sent'];
/** Without a response, the service may have what was sent. */
const LOST = ['not-sent', 'unconfirmed'];
const REJECTED = ['rejected', 'rejected'];
/** A gateway responded, and the service behind it may have what was sent. */
const FORWARDED = ['rejected', 'unconfirmed'];
/** What the action itself finds: an error names it, and brings what to do. */
const END = { results: NOT_SENT, retries: 0, headline: ofEnd, causes: [] };
const NAME = { ...END, reason: 'name', retries: 5, headline: ofName };
const situations_CONNECTION = { ...END, reason: 'connection' };
const situations_CERTIFICATE = { ...END, reason: 'certificate' };
const situations_PROXY = { ...END, reason: 'proxy', headline: ofProxyRefusal };
const SILENT = { results: ['unconfirmed', 'unconfirmed'], retries: 0 };
const UNREADABLE = { ...SILENT, reason: 'connection', headline: ofUnreadable };
/** What a response refuses. */
const situations_REFUSED = {
    results: REJECTED,
    retries: 0,
    reason: 'stated',
    headline: ofRefusal,
};
const CREDENTIALS = { ...situations_REFUSED, reason: 'credentials' };
const ADDRESS = { ...situations_REFUSED, causes: ['address', 'accepted-address', 'operators'] };
const REDIRECT = { ...situations_REFUSED, reason: 'redirect', headline: ofRedirect };
const PAGE = { ...situations_REFUSED, reason: 'web-page', headline: ofPage };
const FRONT_CAUSES = ['front', 'accepted-front'];
const OUTAGE = { ...situations_REFUSED, reason: 'unavailable', retries: ALWAYS };
/** What may refuse any request before the service reads it. */
const BEFORE = [asksForForgeryToken, refusesHost];
const FORM = [refusesField, wantsOtherForm, wantsOtherField];
const situations_INPUTS = [...BEFORE, ...FORM, namesInputs, isBarePage];
const MOVED = [leadsToSignIn, movesOperation, leadsElsewhere];
const ELSEWHERE = [asksForForgeryToken, asksElsewhere];
const UNAUTHORIZED = [...ELSEWHERE, ...REFUSED, asksForSignIn, ...SENT];
const FRONT = [...BEFORE, asksElsewhere];
const situations_FORBIDDEN = [...FRONT, missesStage, ...FORBIDDEN, namesInputs];
const NOT_FOUND = [
    hidesLimit,
    namesPath,
    namesKey,
    doublesVersion,
    isFoundByService,
];
const ROWS = {
    inputs: { ...END, reason: 'inputs' },
    files: { ...END, reason: 'files' },
    contents: { ...END, reason: 'contents' },
    runner: { ...END, reason: 'runner' },
    'oidc-permission': { ...END, reason: 'credentials', stopsOthers: NO_OIDC },
    'oidc-failed': { ...END, reason: 'credentials', retries: ALWAYS },
    'other-scans': { ...END, reason: 'other-scans' },
    'time-limit': { ...END, results: LOST, reason: 'time-limit' },
    cancelled: { ...END, results: LOST, reason: 'cancelled' },
    unexpected: { ...END, results: LOST, reason: 'internal', causes: ['bug'] },
    // What happens to the connection of an attempt.
    'name-unknown': { ...NAME, causes: ['name'] },
    'connect-failed': { ...situations_CONNECTION, ...NETWORK, retries: 5 },
    certificate: { ...situations_CERTIFICATE, ...CERTIFICATE, headline: ofCertificate },
    // With TLS 1.3 its alert may arrive after everything was sent, but the service has read nothing.
    'client-certificate': { ...situations_CERTIFICATE, ...CLIENT_ALERT },
    'proxy-refused': { ...situations_PROXY, causes: ['proxy-refusal'] },
    'proxy-credential': { ...situations_PROXY, ...PROXY_CREDENTIAL },
    'proxy-failed': { ...situations_PROXY, ...PROXY, retries: 5, headline: ofProxy },
    // Something speaks no HTTP, or responds without reading. Another attempt would get the same.
    'other-protocol': { ...situations_CONNECTION, ...PROTOCOL, results: LOST },
    'response-early': { ...situations_CONNECTION, results: LOST, headline: ofEarly, causes: ['early'] },
    'connection-broken': { ...situations_CONNECTION, ...BREAK, results: LOST, retries: ALWAYS },
    stalled: { ...END, results: LOST, retries: ALWAYS, reason: 'stalled', causes: ['stall'] },
    // A service that is still working on the scan must not get it again.
    'response-silent': { ...SILENT, reason: 'stalled', headline: ofSilence, causes: [] },
    'response-unreadable': { ...UNREADABLE, causes: ['unreadable'] },
    // What the service, or something in its place, responds.
    redirect: { ...REDIRECT, hears: MOVED, causes: ['redirect'] },
    challenge: { ...PAGE, headline: ofChallenge, causes: ['challenge'] },
    'web-page': { ...PAGE, hears: BEFORE, causes: FRONT_CAUSES },
    'success-refused': {
        ...situations_REFUSED,
        hears: [namesInputs],
        stated: ['words'],
        causes: ['operators'],
    },
    'certificate-asked': { ...situations_REFUSED, ...CLIENT_ASKED, reason: 'certificate' },
    'tls-asked': { ...situations_REFUSED, causes: ['tls'] },
    'input-refused': {
        ...situations_REFUSED,
        hears: situations_INPUTS,
        stated: ['words', 'key', 'files'],
        causes: ['key', 'files', 'operators'],
    },
    unauthorized: {
        ...CREDENTIALS,
        headline: ofCredential,
        hears: UNAUTHORIZED,
        causes: ['bare-credential', 'accepted-credential'],
        stopsOthers: NO_CREDENTIAL,
    },
    forbidden: {
        ...CREDENTIALS,
        hears: situations_FORBIDDEN,
        stated: ['words'],
        causes: ['address', 'right', 'accepted-credential'],
    },
    // Its words may be those of a firewall.
    'page-forbidden': { ...CREDENTIALS, hears: [...FRONT, isStopped], causes: FRONT_CAUSES },
    'not-found': { ...situations_REFUSED, hears: NOT_FOUND, causes: ['address', 'key', 'accepted-address'] },
    'address-refused': { ...ADDRESS, hears: BEFORE },
    gone: { ...ADDRESS, stated: ['words'] },
    'request-timeout': { ...situations_REFUSED, retries: ALWAYS, causes: ['slow'] },
    conflict: { ...situations_REFUSED, causes: ['conflict'] },
    'headers-too-large': { ...situations_REFUSED, causes: ['headers'] },
    'too-large': { ...situations_REFUSED, reason: 'too-large', causes: ['size'] },
    'rate-limited': { ...situations_REFUSED, reason: 'rate-limited', retries: ALWAYS, causes: ['rate'] },
    // A crash may be temporary, but an error that the service describes is its decision.
    'service-failed': { ...OUTAGE, retries: 3, hears: [wantsOtherForm], causes: ['crash'] },
    'service-error': {
        ...situations_REFUSED,
        hears: situations_INPUTS,
        stated: ['words', 'files'],
        causes: ['operators', 'files'],
    },
    unavailable: { ...OUTAGE, causes: ['outage'] },
    'gateway-failed': { ...OUTAGE, results: FORWARDED, causes: ['gateway'] },
    // It passed the upload on, and each attempt may be another scan for the service.
    'gateway-timeout': { ...OUTAGE, results: FORWARDED, retries: 2, causes: ['gateway-timeout'] },
    refused: { ...situations_REFUSED, hears: BEFORE, stated: ['words'], causes: ['operators'] },
};
/** What follows from a situation. */
function findRow(situation) {
    return ROWS[situation];
}
/** The result of an attempt, or of a scan without one. */
function findResult(situation, isSent = false) {
    return ROWS[situation].results[isSent ? 1 : 0];
}
/** The reason, which may depend on the response. */
function findReason(situation, response) {
    const { reason } = ROWS[situation];
    if (reason !== 'stated')
        return reason;
    return response?.problem === undefined ? 'refused' : 'problem';
}

;// CONCATENATED MODULE: ./lib/outcomes/failure.js







/** The longest headline; most of it may be foreign text. */
const MAX_HEADLINE_CHARACTERS = 1000;
/** How much of all details is shown, so that our own sentences are never cut. */
const MAX_DETAIL_CHARACTERS = 1500;
/** Headers that show which server responded, and those in which gateways and frameworks send the id of a request. */
const HEADERS = 'server via x-request-id x-correlation-id request-id cf-ray x-amzn-requestid x-amzn-errortype x-amz-cf-id x-azure-ref x-ms-request-id x-cloud-trace-context'.split(' ');
/** Why a step failed, or a scan before its first attempt. */
function spellError(thrown) {
    const { situation, fixes, faults } = toStepError(thrown);
    const [first = '', ...more] = faults;
    const spelled = spellSituation(situation, 'not-sent', first);
    return {
        ...spelled,
        headline: cutWhole(spelled.headline, MAX_HEADLINE_CHARACTERS),
        details: limitLines(more, MAX_DETAIL_CHARACTERS, cutWhole),
        fixes,
        traces: [],
        headers: [],
    };
}
/** Why an upload failed. An error in our words does not change what is known of it. */
function spellUpload(upload) {
    try {
        return failure_spell(upload);
    }
    catch (error) {
        return spellError(error);
    }
}
function failure_spell(upload) {
    const { last, result, situation, whyLast } = upload;
    const [first = '', ...details] = findRow(situation).headline(upload);
    const failure = {
        ...spellSituation(situation, result, first, last.response),
        details: limitLines(details, MAX_DETAIL_CHARACTERS, cutWhole),
        fixes: checkBefore(upload, listFixes(upload)),
        ...listTraces(upload),
        headers: listHeaders(upload),
    };
    if (whyLast !== 'cancelled')
        return failure;
    const fixes = checkBefore(upload, [CANCELLED_FIX]);
    return { ...failure, ...spellSituation('cancelled', result, first), fixes };
}
/** What an annotation begins with. After a cancellation, what became of the scan comes before what happened. */
function spellSituation(situation, result, text, response) {
    const reason = findReason(situation, response);
    const outcome = result === 'unconfirmed' ? 'upload is unconfirmed' : 'scan was not uploaded';
    const start = situation === 'cancelled' ? `Cancelled: the ${outcome}. ` : '';
    return {
        situation,
        reason,
        title: spellTitle(result, reason, response?.status),
        headline: start + text,
    };
}
function spellTitle(result, reason, status) {
    if (reason === 'cancelled')
        return 'Scan upload cancelled';
    if (reason === 'internal')
        return 'Scan upload failed unexpectedly';
    return `Scan upload ${nameResult(result, reason, status)}`;
}
/**
 * A result with its status: `rejected (400)`. The reason stands for a status that does not say it: none, or
 * that of a success which does not count, such as a web page.
 */
function nameResult(result, reason, status) {
    const isOfStatus = reason === undefined || reason === 'problem' || reason === 'refused';
    const isSaid = status !== undefined && (isOfStatus || !verdict_isSuccess(status));
    const cause = isSaid ? String(status) : reason;
    return cause === undefined ? results_toWords(result) : `${results_toWords(result)} (${results_toWords(cause)})`;
}
/** A re-run would send the scan again, so that a check comes first if the service may have it. */
function checkBefore(upload, fixes) {
    const { situation, last, result } = upload;
    if (result !== 'unconfirmed')
        return fixes;
    const isLast = findResult(situation, last.isSent) === 'unconfirmed';
    const cause = isLast ? 'it may have the scan' : 'it may have the scan from an earlier attempt';
    const check = `Check the service before a re-run, because ${cause}.`;
    const [fix, ...others] = fixes;
    return fix === undefined ? [check] : [`${check} If it does not: ${beginSmall(fix)}`, ...others];
}
/** What to do about the causes, unless only the end of the attempts prevents a success. */
function listFixes(upload) {
    const { causes, situation, whyLast, last, askedMs } = upload;
    const { retryAfterMs = 0 } = last.response ?? {};
    // All scans of a step say the same time.
    const again = `Re-run in ${formatMinutes(askedMs)}`;
    if (whyLast === 'time' && retryAfterMs > 0)
        return [`${again}, or increase \`timeout-seconds\`.`];
    if (whyLast === 'retries' && retryAfterMs > 0)
        return [`${again}.`];
    const { failure } = last;
    const isByError = failure?.kind === 'step' && failure.error.situation === situation;
    const fixes = isByError ? failure.error.fixes : spellCauses(causes, upload);
    const isOfTime = whyLast === 'time' && situation !== 'connection-broken';
    return isOfTime ? [...fixes, 'Or increase `timeout-seconds`.'] : fixes;
}
/** How many attempts there were, and what identifies the requests: the trace id of a problem, and that of the requests. */
function listTraces(upload) {
    const { last, task, result, attempts } = upload;
    const { serviceTraceId } = last.response?.problem ?? {};
    const hasLeft = result === 'unconfirmed' || !BEFORE_REQUEST.includes(last.state);
    // A service may take over the id that was sent.
    const isSame = serviceTraceId?.includes(task.requestTraceId) === true;
    const requestTraceId = hasLeft && !isSame ? task.requestTraceId : undefined;
    const lines = [
        ['Attempts', attempts > 1 ? attempts : undefined],
        ['Trace id of the service', serviceTraceId],
        ['Trace id of the requests', requestTraceId],
    ];
    const traces = lines.flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}`));
    return { traces, traceId: serviceTraceId ?? requestTraceId };
}
function listHeaders({ last: { response } }) {
    const { headers = {} } = response ?? {};
    const known = HEADERS.filter((name) => headers[name] !== undefined);
    const ids = known
        .map((name) => `${name}: ${cutText(String(headers[name]), MAX_ID_CHARACTERS)}`)
        .join(', ');
    return ids === '' ? [] : [`Response headers: ${ids}`];
}

;// CONCATENATED MODULE: ./lib/outcomes/scan-result.js



/** Ends a scan that was not uploaded because of an error, with its plan if it has one. */
function endNotSent(entry, plan, error) {
    return { entry, plan, result: 'not-sent', failure: spellError(error) };
}
/** Ends a scan of a dry run, which ends after the plan. */
function endDryRun(scan) {
    return { ...scan, result: 'dry-run' };
}
/**
 * The parts of a scan, in the order in which they are sent. The digest of a file is of what was sent, or in a dry run of
 * what was inspected.
 */
function scan_result_listParts({ plan, digests, result }) {
    const parts = plan?.parts ?? [];
    if (result === 'dry-run')
        return parts;
    return parts.map((part, index) => ({
        ...part,
        file: { ...part.file, digest: digests?.[index] },
    }));
}
/** The result of a step: that of its worst scan. Without scans it is `skipped`, or `not-sent` if the step failed. */
function getResult({ scans, failure }) {
    const worst = RANKED.find((rank) => scans.some(({ result }) => result === rank));
    return worst ?? (failure === undefined ? 'skipped' : 'not-sent');
}
/** The scan that decides the step's result: the first one with it, if possible one that failed by itself. */
function findDecisive(step) {
    return sortScans(step.scans).find(({ result }) => result === getResult(step));
}
/** Whether a scan failed by itself, not because of other scans. */
function hasOwnFailure({ failure }) {
    return failure !== undefined && failure.reason !== 'other-scans';
}
/** The reasons of scans whose files are missing or wrong. */
const INVALID = ['inputs', 'files', 'contents'];
/** Whether the files of a scan are missing or wrong. */
function isInvalid({ failure }) {
    return INVALID.includes(failure?.reason);
}
/** Scans that failed by themselves first, then the rest. */
function sortScans(scans) {
    return [...scans.filter(hasOwnFailure), ...scans.filter((scan) => !hasOwnFailure(scan))];
}
/** What to know before a re-run, if the service accepted some scans before its rate limit refused others. */
const AGAIN = 'A re-run sends the uploaded scans again.';
/**
 * Lists the failures of a step: its own one, then those of scans, with those that other scans caused last. Failures with
 * the same title, headline and fixes become one. An old Node lacks `toSorted` and `Map.groupBy`, and must still be able to
 * report that it is too old.
 */
function groupFailures({ scans, failure }) {
    const groups = new Map();
    const isPartial = scans.some(({ result }) => result === 'accepted');
    for (const scan of sortScans(scans)) {
        if (scan.failure === undefined)
            continue;
        const { reason, title, headline, fixes } = scan.failure;
        const key = JSON.stringify([title, headline, fixes]);
        const known = groups.get(key);
        const again = isPartial && reason === 'rate-limited' ? [...fixes, AGAIN] : fixes;
        groups.set(key, known === undefined
            ? { failure: { ...scan.failure, fixes: again }, scans: [scan] }
            : { failure: shareFailure(known, scan.failure), scans: [...known.scans, scan] });
    }
    return [...(failure === undefined ? [] : [{ failure, scans: [] }]), ...groups.values()];
}
/** Keeps what a failure shares with the group, and of the trace ids, which all differ, that of the group's first scan. */
function shareFailure({ failure, scans: [first] }, other) {
    const { traceId } = failure;
    const named = traceId === undefined ? [] : [`Trace id of \`${first?.entry.label}\`: ${traceId}`];
    return {
        ...failure,
        details: failure.details.filter((line) => other.details.includes(line)),
        traces: [...failure.traces.filter((line) => other.traces.includes(line)), ...named],
    };
}
/** `a, b, c and 297 more`. */
function listLabels(scans) {
    const labels = scans.map(({ entry: { label = '' } }) => label);
    return listSome(labels, 3);
}

;// CONCATENATED MODULE: ./lib/redaction/show.js
// Makes texts safe where they leave the action: in report/log, report/markdown and report/outputs alone.



/** The longest text that is shown; the runner truncates annotations at 4,096 characters. */
const MAX_SHOWN_CHARACTERS = 4000;
/**
 * A text without secrets, invisible characters and runner commands, and not too long. Join its parts and lines before,
 * since a secret may go over them; escape it afterwards, since escapes divide a secret.
 */
function show(text, maxCharacters = MAX_SHOWN_CHARACTERS) {
    // A cut starts no command.
    return cutText(breakCommands(clean(text)), maxCharacters);
}
/** Foreign JSON without secrets in its texts, names and numbers; a number that contains one becomes a text. */
function showForeign(value) {
    return mapJson(value, (leaf) => {
        const text = clean(String(leaf));
        return text === String(leaf) ? leaf : text;
    });
}
/**
 * Breaks what the runner would read as a command: `::name::` at the start of a line, also after white
 * space, and `##[name]` anywhere in a line.
 */
function breakCommands(text) {
    return text.replace(/^([\t\p{Zs}]*):(?=:)/gmu, '$1: ').replaceAll('##[', '## [');
}

;// CONCATENATED MODULE: ./lib/report/log.js
// The one module that writes what leaves the process: log, annotations, outputs and files.





/** What act, Gitea and Forgejo set to `true`; they do not decode commands for their log. */
const ENGINES = ['ACT', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS'];
/** Writes the log and the annotations, and makes each text of them safe. */
class Log {
    #label;
    #hasGroup = false;
    constructor(label) {
        this.#label = label;
    }
    /** The same log for one of several scans: each line and title shows the label. */
    named(label) {
        return label === undefined ? this : new Log(label);
    }
    info(text) {
        maskSecrets();
        info(this.#mark(text));
    }
    /** Logs a line if there is one scan. */
    detail(text) {
        if (this.#label === undefined)
            this.info(text);
    }
    /** Annotates the run. The runner shows ten annotations of each level; the others stay in its log. */
    warning(title, text) {
        this.#annotate(warning, title, text);
    }
    notice(title, text) {
        this.#annotate(notice, title, text);
    }
    error(title, text) {
        this.#annotate(error, title, text);
    }
    /** Starts a group, which ends the one before: what is logged in it can be folded under the title. */
    startGroup(title) {
        this.endGroup();
        maskSecrets();
        startGroup(show(title));
        this.#hasGroup = true;
    }
    endGroup() {
        if (this.#hasGroup)
            endGroup();
        this.#hasGroup = false;
    }
    /**
     * Some engines show a command as it was written, with `%0A` in place of line breaks: there a title and a text
     * are also lines of the log.
     */
    #annotate(write, title, text) {
        const named = this.#label === undefined ? title : `${title} [${this.#label}]`;
        if (ENGINES.some((name) => process.env[name] === 'true')) {
            for (const line of [named, ...text.split('\n')])
                this.info(line);
        }
        maskSecrets();
        write(this.#mark(text), { title: show(named) });
    }
    #mark(text) {
        return show(this.#label === undefined ? text : `[${this.#label}] ${text}`);
    }
}
/** Asks the runner to mask new secrets, before anything else is written. */
function maskSecrets() {
    for (const secret of takeMasks())
        core_setSecret(secret);
}
/** Sets an output of the step, which `report/outputs` has made safe. */
function log_setOutput(name, value) {
    setOutput(name, value);
}
/**
 * Adds to a file that only this user can read. Not with the toolkit: its write would wait for Node's threads, which a
 * file system that does not respond may keep busy. `report/outputs` or `report/markdown` has made the text safe.
 */
function log_appendFile(path, text) {
    (0,external_node_fs_namespaceObject.appendFileSync)(path, text, { mode: 0o600 });
}
/** Makes a directory with a hidden random name in `parent`, and returns the path of a file in it. */
function makePath(parent, name) {
    return (0,external_node_path_namespaceObject.join)((0,external_node_fs_namespaceObject.mkdtempSync)((0,external_node_path_namespaceObject.join)(parent, '.scan-')), name);
}

;// CONCATENATED MODULE: ./lib/report/words.js
// What log and summary say of a scan and its files, in the same words.







/** The format of a file and the tool that wrote it: `CycloneDX 1.6 by syft 1.38.0`, `Trivy (schema 2)`. */
function describeFormat(content) {
    const { tool } = content;
    const label = describeContent(content);
    if (tool === undefined)
        return label;
    // A tool's own format is not named twice.
    const isNamed = tool.toLowerCase().startsWith(label.toLowerCase());
    return isNamed ? tool : `${label} by ${tool}`;
}
/** What was counted in a file: `69 components`, `1 critical, 3 medium`; empty if nothing was. */
function describeCounts(content) {
    const severities = readSeverities(content);
    const found = severities === undefined ? '' : describeSeverities(severities, content.isByLevel);
    return joinTexts([describeComponents(content.components), found], ', ');
}
function describeComponents(components) {
    return components === undefined ? '' : countOf(components, 'component');
}
const EARLIER = 'SARIF before 2.1 is not counted.';
const ERROR_LOG = 'Build with `-p:ErrorLog=out.sarif%2cversion=2.1`: after a plain comma the version stays 1.0.';
/** Why a version of SARIF is not counted, and what to do if it is the default of .NET's compilers; empty for other files. */
function explainVersion({ format, specVersion = '', tool = '' }) {
    if (format !== 'sarif' || !isEarlierSarif(specVersion))
        return '';
    return isCompiler(tool) ? `${EARLIER} ${ERROR_LOG}` : EARLIER;
}
/** What a file lacks to be a report, unless it is meant as an SBOM. */
function describeMissing(part) {
    return lacksFindings(part) ? describeGap(part.file.content) : '';
}
/** Whether a file has components and no list of vulnerabilities, and is not the SBOM beside a report. */
function lacksFindings({ part, file: { content } }) {
    const isSbom = content.components !== undefined && readSeverities(content) === undefined;
    return part.expects !== 'SBOM' && isSbom;
}
/** The files of a scan; of one that was not sent without marks and warnings. */
function listShown(scan) {
    const parts = scan_result_listParts(scan);
    return scan.result === 'not-sent' ? parts.map(({ part, file }) => ({ part, file })) : parts;
}
/** The marks of a file that are shown: that its format is unknown stands elsewhere. */
function listShownMarks({ marks = [] }) {
    return marks.filter(({ name }) => name !== 'unknown-format');
}
/** What stands beside files in a table, in a few words: marks, or that there is a warning below. */
function nameMarks(parts) {
    const marks = new Set(parts.flatMap(listShownMarks).map(({ name }) => results_toWords(name)));
    const isWarned = parts.some(({ warnings = [] }) => warnings.length > 0);
    return marks.size === 0 && isWarned ? ['see the warning'] : [...marks];
}
/** The findings of one scan, or of several, in words; of SBOMs alone their components. */
function describeFindings(counts) {
    const { components, severities, counted, uncounted, isByLevel } = counts;
    if (counted === 0)
        return uncounted > 0 ? 'findings not counted' : describeComponents(components);
    const found = describeSeverities(severities, isByLevel);
    return uncounted === 0 ? found : `${found}, ${countOf(uncounted, 'file')} not counted`;
}
/** `1 critical, 3 medium`; `12 high (by level)`; `0 findings` if there are none. */
function describeSeverities(severities, isByLevel = false) {
    const counts = SEVERITIES.flatMap((severity) => {
        const { [severity]: count = 0 } = severities;
        return count === 0 ? [] : [`${formatCount(count)} ${HEADINGS[severity].toLowerCase()}`];
    });
    if (counts.length === 0)
        return '0 findings';
    return `${counts.join(', ')}${isByLevel ? ' (by level)' : ''}`;
}
/** Adds what was counted in scans. The findings of a scan are those of its report: its SBOM may repeat them. */
function countScans(scans) {
    const parts = scans.flatMap(scan_result_listParts);
    const sboms = parts.filter(({ part }) => part.expects !== 'report');
    const reports = parts.filter(({ part }) => part.expects !== 'SBOM');
    const counted = reports.flatMap(({ file: { content } }) => {
        const severities = readSeverities(content);
        return severities === undefined ? [] : [{ severities, isByLevel: content.isByLevel === true }];
    });
    const severities = SEVERITIES.map((severity) => {
        return [severity, add(counted.map((each) => each.severities[severity]))];
    });
    return {
        components: add(sboms.map(({ file }) => file.content.components)),
        severities: Object.fromEntries(severities),
        counted: counted.length,
        uncounted: parts.filter(isUncounted).length,
        isByLevel: counted.length > 0 && counted.every(({ isByLevel }) => isByLevel),
    };
}
/** Whether a file has the mark that it is not counted, in its part. */
function isUncounted({ marks = [] }) {
    return marks.some(({ name }) => name === 'not-counted');
}
/** The sum of the numbers that are known; undefined if none is. */
function add(numbers) {
    const known = numbers.filter((each) => each !== undefined);
    return known.reduce((sum = 0, each) => sum + each, undefined);
}
/** The findings of a document by severity: all are unrated if its tool states none. Undefined if they are not counted. */
function readSeverities(content) {
    const { severities, findings: unknown = content.vulnerabilities } = content;
    return severities ?? (unknown === undefined ? undefined : { unknown });
}
/** How an upload went: `2 attempts, 7.5 s`; empty if it was not started. */
function describeEffort({ attempts, durationMs }) {
    const facts = [
        attempts === undefined ? '' : countOf(attempts, 'attempt'),
        durationMs === undefined ? '' : formatDuration(durationMs),
    ];
    return joinTexts(facts, ', ');
}

;// CONCATENATED MODULE: ./lib/report/narrate.js








/** How often a long upload, or a phase with multiple scans, logs its progress. */
const PROGRESS_MS = 5000;
/**
 * Begins a phase of a step. With several scans its lines are in a group. Call the returned function after each scan, so
 * that a long phase logs its progress (`37 of 400 scans`).
 */
function narratePhase(title, scans, log) {
    if (scans < 2)
        return () => { };
    log.startGroup(title);
    let ended = 0;
    const isDue = makeClock();
    return () => {
        ended += 1;
        if (isDue())
            log.info(`${ended} of ${scans} scans`);
    };
}
/** Says every five seconds that it is time to log progress, and at the end if it was before. */
function makeClock() {
    const start = performance.now();
    let last = start;
    return (isEnd = false) => {
        const isDue = performance.now() - last >= PROGRESS_MS;
        if (isDue)
            last = performance.now();
        return isDue || (isEnd && last > start);
    };
}
/**
 * Logs what the files of scans were recognised as and warnings about them, or why a scan is skipped. Rejects with the
 * signal's reason before the next scan.
 */
async function narrateFiles(scans, noFiles, signal, log) {
    const skip = (text, own) => {
        if (noFiles === 'warn')
            own.warning('Scan upload skipped', text);
        else
            own.info(`Skipped: ${text}`);
    };
    if (scans.length === 0)
        skip('`scans` has no entries.', log);
    for (const scan of scans) {
        await (0,promises_namespaceObject.setImmediate)();
        signal.throwIfAborted();
        const own = log.named(scan.entry.label);
        if (scan.plan !== undefined)
            narrateParts(scan.plan, own);
        if ('result' in scan && scan.skipped !== undefined)
            skip(scan.skipped, own);
    }
}
function narrateParts({ parts }, log) {
    for (const part of parts) {
        const { content, size } = part.file;
        const of = content.subject === undefined ? '' : `of ${content.subject}`;
        const facts = [
            formatBytes(size),
            describeFormat(content),
            joinTexts([describeCounts(content), of], ' '),
            describeMissing(part),
            ...listShownMarks(part).map(({ text }) => text),
        ];
        log.info(`${describePart(part)}: ${joinTexts(facts, ', ')}`);
        const reason = explainVersion(content);
        if (reason !== '')
            log.info(reason);
    }
    // A warning about two parts is a member of both, but is logged once.
    const warnings = new Set(parts.flatMap((part) => part.warnings ?? []));
    for (const warning of warnings)
        log.warning('Scan file', warning);
}
/** Logs what a dry run would do. */
function narrateDryRun(scans, inputs, stepLog) {
    const planned = scans.flatMap((scan) => ('result' in scan ? [] : [scan]));
    narratePhase(`Dry run of ${planned.length} scans`, planned.length, stepLog);
    for (const scan of planned) {
        const log = stepLog.named(scan.entry.label);
        const target = describeTarget(scan, inputs);
        log.detail(`Operation: ${joinTexts([scan.plan.operation.name, target], ', ')}`);
        log.info('Dry run: nothing was sent.');
        narrateEnd(endDryRun(scan), log);
    }
}
/** Logs what happens while scans are uploaded. */
function narrateUploads(scans, inputs, stepLog) {
    const count = scans.filter((scan) => !('result' in scan)).length;
    const { origin } = inputs.baseUrl;
    const most = Math.min(inputs.maxParallel, count);
    const title = `Sending ${count} scans to ${origin}, up to ${most} in parallel`;
    const advance = narratePhase(title, count, stepLog);
    return {
        onStart: (scan, bodyBytes) => {
            const log = stepLog.named(scan.entry.label);
            return narrateUpload(describeTarget(scan, inputs), bodyBytes, log);
        },
        onEnd: (scan) => {
            narrateEnd(scan, stepLog.named(scan.entry.label));
            advance();
        },
    };
}
/** Where a scan is sent: `POST https://scans.example.com/v1/scanner/upload-file`; empty if there is no `base-url`. */
function describeTarget({ plan: { operation } }, { baseUrl, proxy }) {
    const way = proxy === undefined ? '' : ` through the proxy ${proxy.url.host}`;
    return baseUrl === undefined ? '' : `POST ${locateOperation(baseUrl, operation).href}${way}`;
}
function narrateUpload(target, bodyBytes, log) {
    let attempt = 0;
    let isDue = makeClock();
    return {
        onAttempt: (number) => {
            attempt = number;
            isDue = makeClock();
            if (attempt === 1)
                log.detail(`Attempt 1: ${target}`);
            else
                log.info(`Attempt ${attempt}`);
        },
        onState: (state) => {
            if (state === 'sending')
                log.detail(`Sending ${formatBytes(bodyBytes)}`);
        },
        onSent: (sent) => {
            if (isDue(sent === bodyBytes))
                log.info(`Sent ${formatShare(sent, bodyBytes)}`);
        },
        onRetry: (headline, askedMs, waitMs) => {
            const asked = askedMs > 0 ? ` (the service asks for ${formatDuration(askedMs)})` : '';
            log.info(`Attempt ${attempt} failed: ${joinLines(headline)}`);
            log.info(`Waiting ${formatDuration(waitMs)}${asked} before the next attempt.`);
        },
    };
}
/** Logs the result of a scan, and before it what the service said of one that was uploaded. */
function narrateEnd(scan, log) {
    const { entry, result, failure, says = [], warnings = [] } = scan;
    for (const text of says)
        log.info(`The service says: ${text}`);
    if (warnings.length > 0)
        log.warning('Scan upload (service)', warnings.join('\n'));
    const found = results_SUCCESSES.includes(result) ? describeFindings(countScans([scan])) : '';
    const key = entry.scanKey === '' ? '' : `scan key ${entry.scanKey}`;
    const ended = joinTexts([nameResult(result, failure?.reason, scan.status), found], ': ');
    const facts = joinTexts([describeEffort(scan), key], ', ');
    log.info(`Result: ${joinTexts([ended, facts], '; ')}`);
}

;// CONCATENATED MODULE: ./lib/report/outputs.js










/**
 * The longest `problem-details`, in bytes. act, Gitea and Forgejo read GITHUB_OUTPUT in lines of at most
 * 64 KiB; a longer one fails the step and loses all outputs.
 */
const MAX_OUTPUT_BYTES = 60_000;
/** An address in a text, and a text that is the path of one. */
const outputs_ADDRESS = /\bhttps?:\/\/\S+|^\/\S*$/gi;
/** A leaf of our own JSON that is shown as it is: a path, an id or a word of ours, or JSON that is safe already. */
class AsIs {
    value;
    constructor(value) {
        this.value = value;
    }
}
/** Sets the step's outputs, empty if not applicable; also on failure, so that later steps know what happened. */
function setOutputs(step, log) {
    const result = getResult(step);
    const { entry, failure, status, problem = '' } = findDecisive(step) ?? step;
    const details = problem === '' ? '' : writeJson(readForeign(problem));
    log_setOutput('uploaded', String(result === 'accepted'));
    log_setOutput('result', result);
    log_setOutput('reason', failure?.reason ?? '');
    log_setOutput('status-code', String(status ?? ''));
    log_setOutput('error', failure === undefined ? '' : nameError(failure.headline, step, entry?.label));
    log_setOutput('problem-details', Buffer.byteLength(details) > MAX_OUTPUT_BYTES ? '' : details);
    log_setOutput('findings', spellFindings(step));
    log_setOutput('results-path', writeResults(step, log));
}
/** The headline with the label of the decisive scan if it has one, and the number of other failed scans. */
function nameError(headline, { scans }, label = '') {
    const failed = scans.filter(hasOwnFailure).length;
    const others = failed > 1 ? ` (${failed - 1} more of ${scans.length} scans failed)` : '';
    const text = joinTexts([label, headline], ': ');
    return `${showLine(text, MAX_HEADLINE_CHARACTERS - others.length)}${others}`;
}
/**
 * The sums of all scans as JSON, whose order and spelling stay the same, because a gate searches it for a text. Empty
 * unless every scan was inspected and is valid.
 */
function spellFindings({ scans }) {
    const isWhole = scans.every((scan) => scan.plan && !isInvalid(scan));
    if (!isWhole || scans.length === 0)
        return '';
    const sums = countScans(scans).severities;
    const counts = SEVERITIES.map((each) => [HEADINGS[each].toLowerCase(), sums[each] ?? 0]);
    const parts = scans.flatMap(scan_result_listParts);
    // An SBOM without its report is not marked, but a gate must not take it for a report.
    const uncounted = parts.filter((part) => isUncounted(part) || lacksFindings(part));
    const marked = parts.filter((part) => uncounted.includes(part) || part.marks?.length);
    return JSON.stringify({
        ...Object.fromEntries(counts),
        uncounted: uncounted.length,
        marked: marked.length,
        scans: scans.length,
    });
}
/**
 * Writes the result of each scan to a file in RUNNER_TEMP, which the runner empties after the job. Returns its path,
 * empty if it cannot be written.
 */
function writeResults(step, log) {
    try {
        const { RUNNER_TEMP: parent = '' } = process.env;
        if (parent === '')
            throw new Error('RUNNER_TEMP is not set');
        const path = makePath(parent, 'results.json');
        log_appendFile(path, spellResults(step));
        return path;
    }
    catch (error) {
        const text = `\`results-path\` is empty, because its file could not be written: ${errorMessage(error)}`;
        log.warning('Scan upload (outputs)', text);
        return '';
    }
}
/** A JSON array with an object for each scan, one after the other: a problem may have many members. */
function spellResults({ scans, revision }) {
    const entries = scans.map((scan) => writeJson(showOwn(makeEntry(scan, revision))));
    return `[${entries.join(',')}]`;
}
/** The result of a scan; undefined if not applicable. */
function makeEntry(scan, revision) {
    const { entry, plan, result, failure, problem = '', response = '' } = scan;
    const { startedAt = NaN, durationMs = NaN } = scan;
    return {
        name: entry.name,
        scanKey: new AsIs(entry.scanKey || undefined),
        uploaded: result === 'accepted',
        result: new AsIs(result),
        reason: new AsIs(failure?.reason),
        operation: new AsIs(plan?.operation.name),
        statusCode: scan.status,
        ref: revision?.ref,
        sha: new AsIs(revision?.sha),
        pullRequest: revision?.pullRequest,
        attempt: revision?.attempt,
        attempts: scan.attempts ?? 0,
        service: scan.service,
        traceId: new AsIs(scan.requestTraceId),
        startedAt: formatDate(startedAt),
        finishedAt: formatDate(startedAt + durationMs),
        manifest: scan_result_listParts(scan).map(makeManifestEntry),
        error: failure && showLine(failure.headline, MAX_HEADLINE_CHARACTERS),
        problemDetails: new AsIs(readForeign(problem)),
        response: new AsIs(showForeign(withoutCredentials(tryJson(response)))),
    };
}
/** An entry of `manifest`. */
function makeManifestEntry({ part, file, marks = [], warnings = [] }) {
    const { format, inspected, specVersion, tool, subject, ...counts } = file.content;
    return {
        part: new AsIs(part.name),
        path: new AsIs(file.displayPath),
        bytes: file.size,
        sha256: new AsIs(file.digest),
        modified: formatDate(Number(file.mtimeNs / 1000000n)),
        format: new AsIs(format),
        inspected: new AsIs(inspected),
        specVersion,
        tool,
        subject,
        components: counts.components,
        vulnerabilities: counts.vulnerabilities,
        findings: counts.findings,
        severities: counts.severities,
        marks: marks.map(({ name }) => new AsIs(name)),
        warnings: warnings.map((warning) => showLine(warning, MAX_HEADLINE_CHARACTERS)),
    };
}
/** JSON of a service, as it is shown. */
function readForeign(json) {
    return showForeign(tryJson(json));
}
/**
 * What a success said, without credentials: teams publish the file of results as an artifact. Members whose names say
 * that they may be credentials are left out, and of addresses all that may sign them.
 */
function withoutCredentials(value) {
    if (typeof value === 'string')
        return value.replace(outputs_ADDRESS, shortenAddress);
    if (Array.isArray(value))
        return value.map(withoutCredentials);
    if (!isObject(value))
        return value;
    const members = Object.entries(value).filter(([name]) => !isCredentialMember(name));
    return Object.fromEntries(members.map(([name, member]) => [name, withoutCredentials(member)]));
}
/** An address without credentials, query and fragment. */
function shortenAddress(address) {
    const url = URL.parse(address, 'http://relative.invalid');
    if (url === null)
        return '';
    return url.host === 'relative.invalid' ? url.pathname : `${url.origin}${url.pathname}`;
}
/** A value of our own as it is shown: every text is made safe, unless the place where it is made says otherwise. */
function showOwn(value) {
    if (value instanceof AsIs)
        return value.value;
    if (typeof value === 'string')
        return show(value);
    if (Array.isArray(value))
        return value.map(showOwn);
    if (!isObject(value))
        return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, showOwn(member)]));
}
/** Every member is present, with null for what is undefined. No runner command is in it: a later step may print it. */
function writeJson(value) {
    const json = JSON.stringify(value, (_, member) => member ?? null);
    return json.replaceAll('##[', String.raw `##\u005b`);
}
/** A time in milliseconds since 1970 as text; undefined if it is none, as some file systems have any. */
function formatDate(milliseconds) {
    const date = new Date(milliseconds);
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
function showLine(text, maxCharacters) {
    return show(joinLines(text), maxCharacters);
}

;// CONCATENATED MODULE: ./lib/report/markdown.js
// The summary must look the same on GitHub (cmark-gfm) and Gitea (goldmark with its table extension, then
// a sanitizer), so it uses only paragraphs, lists, tables and inline code. Both search the finished
// HTML for mentions, issues, commits and addresses, except in code (github/cmark-gfm issue 181; Gitea,
// modules/markup/html.go, visitNode). So foreign text is written as code.


/** Marks files with warnings, and warnings. */
const WARNED = '⚠️';
/** What begins a list, a quotation, a heading or a line at the start of a text: a number with a mark, or marks alone. */
const BLOCK_START = /^(?:\d+[.)]|[-+*=_#>]+)(?=\s|$)/;
/** What is code on its own: between backticks or quotes. */
const MARKED = /(`[^`]+`|(?<!\S)'[^']*')/;
/** What stands between spaces and the marks of sentences. It begins no marks twice: their number may be large. */
const SENTENCE_WORD = /(?<![.:!?…])(?:[.:!?…]*[^\s(),;".:!?…]+)+/g;
/** A word of letters, one with digits, a number or a time; but not what may be a commit or the emoji `:100:`. */
const PLAIN = /^(?!.*(?:\b[\da-f]{7}|:\d{3}))(?:[\p{L}\p{M}'’–%-]+|[\p{L}\p{M}\d]+|v?[\d.:]+)$/iu;
/** A text as inline code in one line, which a cell of a table may contain. */
function writeCode(text) {
    return markCode(show(joinLines(text)));
}
function markCode(line) {
    if (line === '')
        return line;
    // Renderers differ in where a cell with a pipe ends, and code with backticks needs longer marks.
    if (!/[`|]/.test(line))
        return `\`${line}\``;
    const escaped = line.replace(/[\p{P}\p{S}]/gu, (mark) => `&#${mark.codePointAt(0) ?? 0};`);
    return `<code>${escaped}</code>`;
}
/** A sentence in one line: what is marked in it is code, and so is all that is no word, or would begin a block. */
function writeSentence(text) {
    const line = show(joinLines(text));
    const [start = ''] = BLOCK_START.exec(line) ?? [];
    return `${markCode(start)}${line.slice(start.length).split(MARKED).map(writePiece).join('')}`;
}
/** A piece of a sentence; every second one was marked. */
function writePiece(piece, index) {
    return index % 2 === 1
        ? markCode(piece.replace(/^`|`$/g, ''))
        : piece.replace(SENTENCE_WORD, (word) => (PLAIN.test(word) ? word : markCode(word)));
}
/** A long text as code, with its lines unless a secret may go over them. */
function writeLines(text) {
    const line = joinLines(text);
    const lines = show(line) === line ? listLines(text) : [line];
    return lines.map(writeCode).join('\\\n');
}
/** A list of items in Markdown. */
function writeList(items) {
    return items.map((item) => `- ${item}`).join('\n');
}
/** The lines of a table: headings, alignment, rows. No lines if it has no rows. */
function writeTable(columns) {
    const rows = columns.map(({ heading, isNumber, cells }) => {
        return [heading, isNumber ? '---:' : ':---', ...cells];
    });
    const [first = []] = rows;
    if (first.length === 2)
        return [];
    return first.map((_, line) => `| ${rows.map((cells) => cells[line] ?? '').join(' | ')} |`);
}
/** What is folded under a title; empty if nothing is. */
function writeFold(title, markdown) {
    return markdown === '' ? '' : `<details><summary>${title}</summary>\n\n${markdown}\n\n</details>`;
}

;// CONCATENATED MODULE: ./lib/report/summary-rows.js








/** A space at which no line ends. */
const NO_BREAK = '\u00a0';
const MAX_CELL_CHARACTERS = 64;
/** Severities whose counts are bold unless they are 0. */
const BOLD = ['critical', 'high'];
/** Severities whose columns are shown even if no scan has findings of them. */
const summary_rows_ALWAYS = ['critical', 'high', 'medium', 'low'];
/** The lines of a table of one scan's files: what each is, and what it contains. */
function listFileRows(scan) {
    const parts = listShown(scan);
    return writeTable([
        { heading: '', cells: parts.map(({ part }) => nameRole(part)) },
        { heading: 'File', cells: parts.map(({ file }) => showPath(file.displayPath)) },
        { heading: 'Format', cells: parts.map(({ file }) => showWords(describeFormat(file.content))) },
        { heading: 'Contents', cells: parts.map(showContents) },
    ]);
}
/** The lines of a table of several scans, with a row of sums at its end. No lines without scans. */
function listScanRows(scans) {
    if (scans.length === 0)
        return [];
    const sums = countScans(scans);
    const counts = [...scans.map((scan) => countScans([scan])), sums];
    const severities = SEVERITIES.filter((severity) => summary_rows_ALWAYS.includes(severity) || (sums.severities[severity] ?? 0) > 0);
    const uploaded = scans.filter(({ result }) => result === 'accepted').length;
    const share = uploaded === scans.length ? '' : `of which ${uploaded} uploaded`;
    const columns = severities.map((severity) => ({
        heading: HEADINGS[severity],
        isNumber: true,
        cells: counts.map((each) => showCount(each.severities[severity], BOLD.includes(severity))),
    }));
    const cells = counts.map((each) => showCount(each.components));
    const components = { heading: 'Components', isNumber: true, cells };
    return writeTable([
        { heading: 'Scan', cells: [...scans.map(showLabel), '**all**'] },
        { heading: 'Result', cells: [...scans.map(showResult), share] },
        ...columns,
        ...(sums.components === undefined ? [] : [components]),
    ]);
}
/** What is folded: the facts of a scan, its upload and its files. Nothing if its files are not known. */
function listFacts(scan) {
    const { entry, plan } = scan;
    if (plan === undefined)
        return [];
    const upload = [
        entry.scanKey === '' ? '' : `scan key ${writeCode(entry.scanKey)}`,
        writeCode(plan.operation.name),
        describeEffort(scan),
    ];
    const files = scan_result_listParts(scan).map(({ part, file: { displayPath, size, digest = '' } }) => [
        `${part.name} ${showPath(displayPath)}`,
        formatBytes(size),
        writeCode(digest),
    ]);
    return [upload, ...files].map((facts) => joinTexts([showLabel(scan), joinTexts(facts, ', ')], ': '));
}
/** What messages call a scan, as code. */
function showLabel({ entry: { label = '' } }) {
    return writeCode(cutText(label, MAX_CELL_CHARACTERS));
}
/** What became of a scan, whether its counts are levels, and the marks of its files. */
function showResult(scan) {
    const kind = countScans([scan]).isByLevel ? 'by level' : '';
    const marks = nameMarks(listShown(scan)).map(showMark);
    return joinTexts([showOutcome(scan), kind, ...marks], ' · ');
}
/** What became of one of several scans, with a mark and its cause if it failed by itself: `❌ invalid (files)`. */
function showOutcome(scan) {
    const { result, failure, status } = scan;
    if (!hasOwnFailure(scan))
        return results_toWords(result);
    const outcome = isInvalid(scan)
        ? `invalid (${failure?.reason})`
        : nameResult(result, failure?.reason, status);
    return `${ICONS[result]}${NO_BREAK}${writeSentence(outcome)}`;
}
/** What a file contains, what was scanned, and its marks. */
function showContents(planned) {
    const { content } = planned.file;
    const { subject } = content;
    const of = subject === undefined ? '' : `of ${writeCode(cutText(subject, MAX_CELL_CHARACTERS))}`;
    const facts = [
        joinTexts([writeSentence(describeCounts(content)), of], ' '),
        writeSentence(describeMissing(planned)),
        ...nameMarks([planned]).map(showMark),
    ];
    return joinTexts(facts, ' · ');
}
function showMark(mark) {
    return `${WARNED}${NO_BREAK}${writeSentence(mark)}`;
}
/** A path, cut at its start if it is too long, because the name at the end matters more. */
function showPath(path) {
    const isLong = path.length > MAX_CELL_CHARACTERS;
    return writeCode(isLong ? `…${path.slice(1 - MAX_CELL_CHARACTERS)}` : path);
}
function showWords(text) {
    return writeSentence(cutText(text, MAX_CELL_CHARACTERS));
}
function showCount(count, isBold = false) {
    if (count === undefined)
        return '';
    return isBold && count > 0 ? `**${formatCount(count)}**` : formatCount(count);
}

;// CONCATENATED MODULE: ./lib/report/summary-failures.js




/** In a longer text, too many words would be code of their own. */
const MAX_SENTENCE_CHARACTERS = 300;
/** Equal failures of scans: what happened, what to do, and ids; below the names of the scans that have one. */
function describeGroup({ failure, scans }) {
    const { headline, details, fixes, traces } = failure;
    const named = scans.filter(({ entry }) => entry.label !== undefined);
    const names = writeCode(listLabels(named));
    const write = scans.some(({ status }) => status !== undefined) ? writeForeign : writeSentence;
    const blocks = [
        ...named.slice(0, 1).map((scan) => `#### ${showOutcome(scan)}: ${names}`),
        write(headline),
        writeList(details.map(write)),
        fixes.length === 0 ? '' : `**Fix:** ${fixes.map(writeSentence).join(' ')}`,
        traces.map(writeSentence).join(' · ').replaceAll(' · Trace id of', ' · of'),
    ];
    return joinTexts(blocks, '\n\n');
}
/** What a response says, which may be long. */
function writeForeign(text) {
    return text.length > MAX_SENTENCE_CHARACTERS ? writeLines(text) : writeSentence(text);
}

;// CONCATENATED MODULE: ./lib/report/title.js





/** The result of a step, and the findings of what was uploaded, or would be. */
function makeTitle(step) {
    const { scans } = step;
    const [scan] = scans;
    const result = getResult(step);
    const found = describeFindings(countScans(scans));
    const what = scans.length > 1 ? `${scans.length} scans` : 'Scan';
    if (result === 'dry-run')
        return joinTexts(['Dry run, nothing uploaded', found], ': ');
    if (result === 'accepted')
        return joinTexts([`${what} uploaded`, found], ': ');
    if (scans.length > 1)
        return `Scan uploads: ${countOutcomes(scans)}`;
    return `Scan upload ${nameResult(result, (scan ?? step).failure?.reason, scan?.status)}`;
}
/** `2 rejected, 28 uploaded`; `3 invalid, 27 not sent because of them`. */
function countOutcomes(scans) {
    const because = `because of ${scans.filter(hasOwnFailure).length === 1 ? 'it' : 'them'}`;
    const counts = new Map();
    for (const rank of RANKED) {
        for (const scan of sortScans(scans).filter(({ result }) => result === rank)) {
            const outcome = isInvalid(scan) ? 'invalid' : results_toWords(rank);
            const cause = scan.failure?.reason === 'other-scans' ? because : '';
            const name = joinTexts([outcome, cause], ' ');
            counts.set(name, (counts.get(name) ?? 0) + 1);
        }
    }
    return Array.from(counts, ([name, count]) => `${count} ${name}`).join(', ');
}

;// CONCATENATED MODULE: ./lib/report/summary.js










/** GitHub refuses more than 1 MiB: all lists have at most so many bytes. */
const MAX_LISTS_BYTES = 1000 * 1024;
/** The marks and line breaks around a text of a list, in bytes. */
const SPACING_BYTES = 4;
const MAX_ITEM_CHARACTERS = 300;
const FOLD = 'Scan keys, attempts, files, digests (SHA256)';
const MORE = 'There is more in the log, and in the file of the output `results-path`.';
/**
 * Adds to the job summary. If there is none (Gitea before 1.27, a terminal) or it cannot be written, this
 * is only logged, because the result of the upload does not depend on it.
 */
function writeSummary(step, log) {
    try {
        const { GITHUB_STEP_SUMMARY: path = '' } = process.env;
        if (path === '')
            throw new Error('GITHUB_STEP_SUMMARY is not set');
        log_appendFile(path, `${makeSummary(step)}\n`);
    }
    catch (error) {
        log.info(`No job summary was written: ${errorMessage(error)}`);
    }
}
/** The summary as GitHub-flavoured markdown, with foreign text as code. */
function makeSummary(step) {
    const scans = sortScans(step.scans);
    const [only] = scans.length === 1 ? scans : [];
    const failures = groupFailures(step).map(describeGroup);
    const [heading = '', align = '', ...rows] = only ? listFileRows(only) : listScanRows(scans);
    const said = listWarnings(scans, ({ warnings = [] }) => warnings, writeCode);
    const marks = nameMarks(scans.flatMap(listShown));
    const isMarked = [...said, ...step.repeats, ...marks].length > 0;
    const room = new Room();
    const shown = {
        said: room.take(said),
        failures: room.take(failures),
        rows: [...room.take(rows.slice(0, -1)), ...rows.slice(-1)],
        items: room.take(listItems(scans, step.repeats, only)),
        facts: room.take(scans.flatMap(listFacts)),
    };
    const blocks = [
        `### ${ICONS[getResult(step)]} ${writeSentence(makeTitle(step))}${isMarked ? ` ${WARNED}` : ''}`,
        describeRun(step, only),
        writeList(shown.said),
        ...shown.failures,
        step.scans.length === 0 && step.failure === undefined ? '`scans` has no entries.' : '',
        [heading, align, ...shown.rows].join('\n').trim(),
        writeList(shown.items),
        room.isWhole ? '' : MORE,
        writeFold(FOLD, writeList(shown.facts)),
    ];
    return joinTexts(blocks, '\n\n');
}
/** The room of a summary, which its lists share. */
class Room {
    #bytes = MAX_LISTS_BYTES;
    /** Whether all texts had room. */
    isWhole = true;
    /** The first texts, as many as half of the room that is left has room for. */
    take(texts) {
        const least = this.#bytes / 2;
        const taken = texts.filter((text) => {
            this.#bytes -= Buffer.byteLength(text) + SPACING_BYTES;
            return this.#bytes >= least;
        });
        this.#bytes = Math.max(this.#bytes, least);
        if (taken.length < texts.length)
            this.isWhole = false;
        return taken;
    }
}
/** What the step ran for, the key of a single scan, and the service. */
function describeRun({ scans, revision }, only) {
    const { scanKey = '' } = only?.entry ?? {};
    const facts = [
        writeSentence(revision?.text ?? ''),
        scanKey === '' ? '' : `scan key ${writeCode(scanKey)}`,
        writeCode(scans.find(({ service }) => service)?.service ?? ''),
    ];
    return joinTexts(facts, ' · ');
}
/** Why scans were skipped, what the service says of a single one, and warnings of files, each once. */
function listItems(scans, repeats, only) {
    const skipped = new Set(scans.flatMap((scan) => scan.skipped ?? []));
    const said = new Set(only?.says);
    return [
        ...Array.from(skipped, (text) => writeSentence(cutItem(text))),
        ...Array.from(said, (text) => `The service says: ${writeCode(cutItem(text))}`),
        ...repeats.map((text) => `${WARNED} ${writeSentence(cutItem(text))}`),
        ...listWarnings(scans, listFileWarnings, writeSentence),
    ];
}
/** The warnings of a scan's files, and marks that say more than their names in a table. */
function listFileWarnings(scan) {
    return listShown(scan).flatMap((part) => {
        const marks = listShownMarks(part).filter(({ name, text }) => text !== results_toWords(name));
        return [...(part.warnings ?? []), ...marks.map(({ text }) => text)];
    });
}
/** Each warning of scans once, after the names of those that have it. */
function listWarnings(scans, find, write) {
    const found = new Map();
    for (const scan of scans) {
        for (const text of new Set(find(scan)))
            found.set(text, [...(found.get(text) ?? []), scan]);
    }
    return Array.from(found, ([text, warned]) => {
        const names = writeCode(listLabels(warned));
        return `${WARNED} ${joinTexts([names, write(cutItem(text))], ': ')}`;
    });
}
/** Cuts an item, but never in a word: what the author wrote may contain a secret that nobody else knows. */
function cutItem(text) {
    return cutWhole(text, MAX_ITEM_CHARACTERS);
}

;// CONCATENATED MODULE: ./lib/report/publish.js







/**
 * Reports a step: annotations, outputs and the job summary. Returns whether the step succeeds. It fails if
 * the outputs cannot be written, because later steps could not see whether there was an upload.
 */
function publish(step, log) {
    let succeeds = results_SUCCESSES.includes(getResult(step));
    annotateFailures(step, log);
    // The groups of several scans are folded.
    if (step.scans.length > 1)
        log.info(makeTitle(step));
    try {
        setOutputs(step, log);
    }
    catch (error) {
        succeeds = false;
        const text = `The upload's result is '${getResult(step)}', but the step's outputs could not be written: ${errorMessage(error)}`;
        log.error('Scan upload (outputs)', text);
    }
    writeSummary(step, log);
    return succeeds;
}
/** How many annotations of a level GitHub shows of a step. */
const MAX_ANNOTATIONS = 10;
/**
 * Annotates the run with its failures; equal ones share an annotation, and of too many the last one names the scans. The
 * log has all, and of each scan its ids, times, counts and headers of its response.
 */
function annotateFailures(step, log) {
    const groups = groupFailures(step);
    const shown = groups.length > MAX_ANNOTATIONS ? MAX_ANNOTATIONS - 1 : MAX_ANNOTATIONS;
    for (const [index, { failure, scans }] of groups.entries()) {
        const lines = spellLines(failure);
        for (const { entry, failure: own = failure } of scans) {
            const others = spellLines(own).filter((line) => !lines.includes(line));
            for (const line of [...others, ...own.headers])
                log.named(entry.label).info(line);
        }
        const named = log.named(listLabels(scans) || undefined);
        if (index < shown)
            named.error(failure.title, lines.join('\n'));
        else
            for (const line of [failure.title, ...lines])
                named.info(line);
    }
    const others = groups.slice(shown).flatMap(({ scans }) => scans);
    if (others.length === 0)
        return;
    const text = `And ${others.length} more: ${listLabels(others)}. The log and the job summary have all.`;
    log.error('Scan uploads', text);
}
/** The lines of an annotation: what happened, what others say about it, what to do, ids. */
function spellLines({ headline, details, fixes, traces }) {
    const lines = [...details, fixes.join(' '), traces.join(' · ')];
    return [headline, ...lines.map(joinLines).filter((line) => line !== '')];
}

;// CONCATENATED MODULE: ./lib/runtime.js


/** The major version of Node in action.yml. */
const REQUIRED_MAJOR = 24;
const NODE_FIXES = [
    "act, Gitea and Forgejo start the action with the Node of the job's image: use one with Node 24, for example `container: node:24-bookworm`.",
    "GitHub's runner has Node 24 from version 2.327.1: update an older one.",
];
/** Throws a StepError for an older Node: older runners and the images of other engines may have one. */
function checkNode(version = process.versions.node) {
    if (Number(version.split('.')[0]) >= REQUIRED_MAJOR)
        return;
    const problem = `This action needs Node ${REQUIRED_MAJOR} and was started with Node ${version}.`;
    throw new StepError('runner', problem, NODE_FIXES);
}
/** The absolute path of the workspace; without a runner the working directory. Throws a StepError if it does not exist. */
async function findWorkspace(env = process.env) {
    const workspace = env.GITHUB_WORKSPACE || process.cwd();
    try {
        await (0,external_node_fs_promises_namespaceObject.access)(workspace);
        return workspace;
    }
    catch {
        // Otherwise no pattern would match, which `if-no-files-found` may allow.
        const problem = `The workspace '${workspace}' (GITHUB_WORKSPACE) does not exist.`;
        throw new StepError('runner', problem, 'Mount the workspace at this path in the container that runs the action, or set GITHUB_WORKSPACE to a directory that exists.');
    }
}
/**
 * When the job began, in milliseconds since 1970: the runner writes the event's payload then. `-Infinity` if that is
 * not known.
 */
async function findJobStart(env = process.env) {
    try {
        const { mtimeMs } = await (0,external_node_fs_promises_namespaceObject.stat)(env.GITHUB_EVENT_PATH ?? '');
        return mtimeMs;
    }
    catch {
        return Number.NEGATIVE_INFINITY;
    }
}

;// CONCATENATED MODULE: ./node_modules/@actions/glob/lib/internal-glob-options-helper.js

/**
 * Returns a copy with defaults filled in.
 */
function getOptions(copy) {
    const result = {
        followSymbolicLinks: true,
        implicitDescendants: true,
        matchDirectories: true,
        omitBrokenSymbolicLinks: true,
        excludeHiddenFiles: false
    };
    if (copy) {
        if (typeof copy.followSymbolicLinks === 'boolean') {
            result.followSymbolicLinks = copy.followSymbolicLinks;
            core_debug(`followSymbolicLinks '${result.followSymbolicLinks}'`);
        }
        if (typeof copy.implicitDescendants === 'boolean') {
            result.implicitDescendants = copy.implicitDescendants;
            core_debug(`implicitDescendants '${result.implicitDescendants}'`);
        }
        if (typeof copy.matchDirectories === 'boolean') {
            result.matchDirectories = copy.matchDirectories;
            core_debug(`matchDirectories '${result.matchDirectories}'`);
        }
        if (typeof copy.omitBrokenSymbolicLinks === 'boolean') {
            result.omitBrokenSymbolicLinks = copy.omitBrokenSymbolicLinks;
            core_debug(`omitBrokenSymbolicLinks '${result.omitBrokenSymbolicLinks}'`);
        }
        if (typeof copy.excludeHiddenFiles === 'boolean') {
            result.excludeHiddenFiles = copy.excludeHiddenFiles;
            core_debug(`excludeHiddenFiles '${result.excludeHiddenFiles}'`);
        }
    }
    return result;
}
//# sourceMappingURL=internal-glob-options-helper.js.map
// EXTERNAL MODULE: external "assert"
var external_assert_ = __nccwpck_require__(2613);
;// CONCATENATED MODULE: ./node_modules/@actions/glob/lib/internal-path-helper.js


const internal_path_helper_IS_WINDOWS = process.platform === 'win32';
/**
 * Similar to path.dirname except normalizes the path separators and slightly better handling for Windows UNC paths.
 *
 * For example, on Linux/macOS:
 * - `/               => /`
 * - `/hello          => /`
 *
 * For example, on Windows:
 * - `C:\             => C:\`
 * - `C:\hello        => C:\`
 * - `C:              => C:`
 * - `C:hello         => C:`
 * - `\               => \`
 * - `\hello          => \`
 * - `\\hello         => \\hello`
 * - `\\hello\world   => \\hello\world`
 */
function dirname(p) {
    // Normalize slashes and trim unnecessary trailing slash
    p = safeTrimTrailingSeparator(p);
    // Windows UNC root, e.g. \\hello or \\hello\world
    if (internal_path_helper_IS_WINDOWS && /^\\\\[^\\]+(\\[^\\]+)?$/.test(p)) {
        return p;
    }
    // Get dirname
    let result = external_path_.dirname(p);
    // Trim trailing slash for Windows UNC root, e.g. \\hello\world\
    if (internal_path_helper_IS_WINDOWS && /^\\\\[^\\]+\\[^\\]+\\$/.test(result)) {
        result = safeTrimTrailingSeparator(result);
    }
    return result;
}
/**
 * Roots the path if not already rooted. On Windows, relative roots like `\`
 * or `C:` are expanded based on the current working directory.
 */
function ensureAbsoluteRoot(root, itemPath) {
    external_assert_(root, `ensureAbsoluteRoot parameter 'root' must not be empty`);
    external_assert_(itemPath, `ensureAbsoluteRoot parameter 'itemPath' must not be empty`);
    // Already rooted
    if (hasAbsoluteRoot(itemPath)) {
        return itemPath;
    }
    // Windows
    if (internal_path_helper_IS_WINDOWS) {
        // Check for itemPath like C: or C:foo
        if (itemPath.match(/^[A-Z]:[^\\/]|^[A-Z]:$/i)) {
            let cwd = process.cwd();
            external_assert_(cwd.match(/^[A-Z]:\\/i), `Expected current directory to start with an absolute drive root. Actual '${cwd}'`);
            // Drive letter matches cwd? Expand to cwd
            if (itemPath[0].toUpperCase() === cwd[0].toUpperCase()) {
                // Drive only, e.g. C:
                if (itemPath.length === 2) {
                    // Preserve specified drive letter case (upper or lower)
                    return `${itemPath[0]}:\\${cwd.substr(3)}`;
                }
                // Drive + path, e.g. C:foo
                else {
                    if (!cwd.endsWith('\\')) {
                        cwd += '\\';
                    }
                    // Preserve specified drive letter case (upper or lower)
                    return `${itemPath[0]}:\\${cwd.substr(3)}${itemPath.substr(2)}`;
                }
            }
            // Different drive
            else {
                return `${itemPath[0]}:\\${itemPath.substr(2)}`;
            }
        }
        // Check for itemPath like \ or \foo
        else if (normalizeSeparators(itemPath).match(/^\\$|^\\[^\\]/)) {
            const cwd = process.cwd();
            external_assert_(cwd.match(/^[A-Z]:\\/i), `Expected current directory to start with an absolute drive root. Actual '${cwd}'`);
            return `${cwd[0]}:\\${itemPath.substr(1)}`;
        }
    }
    external_assert_(hasAbsoluteRoot(root), `ensureAbsoluteRoot parameter 'root' must have an absolute root`);
    // Otherwise ensure root ends with a separator
    if (root.endsWith('/') || (internal_path_helper_IS_WINDOWS && root.endsWith('\\'))) {
        // Intentionally empty
    }
    else {
        // Append separator
        root += external_path_.sep;
    }
    return root + itemPath;
}
/**
 * On Linux/macOS, true if path starts with `/`. On Windows, true for paths like:
 * `\\hello\share` and `C:\hello` (and using alternate separator).
 */
function hasAbsoluteRoot(itemPath) {
    external_assert_(itemPath, `hasAbsoluteRoot parameter 'itemPath' must not be empty`);
    // Normalize separators
    itemPath = normalizeSeparators(itemPath);
    // Windows
    if (internal_path_helper_IS_WINDOWS) {
        // E.g. \\hello\share or C:\hello
        return itemPath.startsWith('\\\\') || /^[A-Z]:\\/i.test(itemPath);
    }
    // E.g. /hello
    return itemPath.startsWith('/');
}
/**
 * On Linux/macOS, true if path starts with `/`. On Windows, true for paths like:
 * `\`, `\hello`, `\\hello\share`, `C:`, and `C:\hello` (and using alternate separator).
 */
function hasRoot(itemPath) {
    external_assert_(itemPath, `isRooted parameter 'itemPath' must not be empty`);
    // Normalize separators
    itemPath = normalizeSeparators(itemPath);
    // Windows
    if (internal_path_helper_IS_WINDOWS) {
        // E.g. \ or \hello or \\hello
        // E.g. C: or C:\hello
        return itemPath.startsWith('\\') || /^[A-Z]:/i.test(itemPath);
    }
    // E.g. /hello
    return itemPath.startsWith('/');
}
/**
 * Removes redundant slashes and converts `/` to `\` on Windows
 */
function normalizeSeparators(p) {
    p = p || '';
    // Windows
    if (internal_path_helper_IS_WINDOWS) {
        // Convert slashes on Windows
        p = p.replace(/\//g, '\\');
        // Remove redundant slashes
        const isUnc = /^\\\\+[^\\]/.test(p); // e.g. \\hello
        return (isUnc ? '\\' : '') + p.replace(/\\\\+/g, '\\'); // preserve leading \\ for UNC
    }
    // Remove redundant slashes
    return p.replace(/\/\/+/g, '/');
}
/**
 * Normalizes the path separators and trims the trailing separator (when safe).
 * For example, `/foo/ => /foo` but `/ => /`
 */
function safeTrimTrailingSeparator(p) {
    // Short-circuit if empty
    if (!p) {
        return '';
    }
    // Normalize separators
    p = normalizeSeparators(p);
    // No trailing slash
    if (!p.endsWith(external_path_.sep)) {
        return p;
    }
    // Check '/' on Linux/macOS and '\' on Windows
    if (p === external_path_.sep) {
        return p;
    }
    // On Windows check if drive root. E.g. C:\
    if (internal_path_helper_IS_WINDOWS && /^[A-Z]:\\$/i.test(p)) {
        return p;
    }
    // Otherwise trim trailing slash
    return p.substr(0, p.length - 1);
}
//# sourceMappingURL=internal-path-helper.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/glob/lib/internal-match-kind.js
/**
 * Indicates whether a pattern matches a path
 */
var MatchKind;
(function (MatchKind) {
    /** Not matched */
    MatchKind[MatchKind["None"] = 0] = "None";
    /** Matched if the path is a directory */
    MatchKind[MatchKind["Directory"] = 1] = "Directory";
    /** Matched if the path is a regular file */
    MatchKind[MatchKind["File"] = 2] = "File";
    /** Matched */
    MatchKind[MatchKind["All"] = 3] = "All";
})(MatchKind || (MatchKind = {}));
//# sourceMappingURL=internal-match-kind.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/glob/lib/internal-pattern-helper.js


const internal_pattern_helper_IS_WINDOWS = process.platform === 'win32';
/**
 * Given an array of patterns, returns an array of paths to search.
 * Duplicates and paths under other included paths are filtered out.
 */
function getSearchPaths(patterns) {
    // Ignore negate patterns
    patterns = patterns.filter(x => !x.negate);
    // Create a map of all search paths
    const searchPathMap = {};
    for (const pattern of patterns) {
        const key = internal_pattern_helper_IS_WINDOWS
            ? pattern.searchPath.toUpperCase()
            : pattern.searchPath;
        searchPathMap[key] = 'candidate';
    }
    const result = [];
    for (const pattern of patterns) {
        // Check if already included
        const key = internal_pattern_helper_IS_WINDOWS
            ? pattern.searchPath.toUpperCase()
            : pattern.searchPath;
        if (searchPathMap[key] === 'included') {
            continue;
        }
        // Check for an ancestor search path
        let foundAncestor = false;
        let tempKey = key;
        let parent = dirname(tempKey);
        while (parent !== tempKey) {
            if (searchPathMap[parent]) {
                foundAncestor = true;
                break;
            }
            tempKey = parent;
            parent = dirname(tempKey);
        }
        // Include the search pattern in the result
        if (!foundAncestor) {
            result.push(pattern.searchPath);
            searchPathMap[key] = 'included';
        }
    }
    return result;
}
/**
 * Matches the patterns against the path
 */
function internal_pattern_helper_match(patterns, itemPath) {
    let result = MatchKind.None;
    for (const pattern of patterns) {
        if (pattern.negate) {
            result &= ~pattern.match(itemPath);
        }
        else {
            result |= pattern.match(itemPath);
        }
    }
    return result;
}
/**
 * Checks whether to descend further into the directory
 */
function internal_pattern_helper_partialMatch(patterns, itemPath) {
    return patterns.some(x => !x.negate && x.partialMatch(itemPath));
}
//# sourceMappingURL=internal-pattern-helper.js.map
;// CONCATENATED MODULE: ./node_modules/balanced-match/dist/esm/index.js
const balanced = (a, b, str) => {
    const ma = a instanceof RegExp ? maybeMatch(a, str) : a;
    const mb = b instanceof RegExp ? maybeMatch(b, str) : b;
    const r = ma !== null && mb != null && range(ma, mb, str);
    return (r && {
        start: r[0],
        end: r[1],
        pre: str.slice(0, r[0]),
        body: str.slice(r[0] + ma.length, r[1]),
        post: str.slice(r[1] + mb.length),
    });
};
const maybeMatch = (reg, str) => {
    const m = str.match(reg);
    return m ? m[0] : null;
};
const range = (a, b, str) => {
    let begs, beg, left, right = undefined, result;
    let ai = str.indexOf(a);
    let bi = str.indexOf(b, ai + 1);
    let i = ai;
    if (ai >= 0 && bi > 0) {
        if (a === b) {
            return [ai, bi];
        }
        begs = [];
        left = str.length;
        while (i >= 0 && !result) {
            if (i === ai) {
                begs.push(i);
                ai = str.indexOf(a, i + 1);
            }
            else if (begs.length === 1) {
                const r = begs.pop();
                if (r !== undefined)
                    result = [r, bi];
            }
            else {
                beg = begs.pop();
                if (beg !== undefined && beg < left) {
                    left = beg;
                    right = bi;
                }
                bi = str.indexOf(b, i + 1);
            }
            i = ai < bi && ai >= 0 ? ai : bi;
        }
        if (begs.length && right !== undefined) {
            result = [left, right];
        }
    }
    return result;
};
//# sourceMappingURL=index.js.map
;// CONCATENATED MODULE: ./node_modules/brace-expansion/dist/esm/index.js

const escSlash = '\0SLASH' + Math.random().toFixed(16) + '\0';
const escOpen = '\0OPEN' + Math.random().toFixed(16) + '\0';
const escClose = '\0CLOSE' + Math.random().toFixed(16) + '\0';
const escComma = '\0COMMA' + Math.random().toFixed(16) + '\0';
const escPeriod = '\0PERIOD' + Math.random().toFixed(16) + '\0';
const escSlashPattern = new RegExp(escSlash, 'g');
const escOpenPattern = new RegExp(escOpen, 'g');
const escClosePattern = new RegExp(escClose, 'g');
const escCommaPattern = new RegExp(escComma, 'g');
const escPeriodPattern = new RegExp(escPeriod, 'g');
const slashPattern = /\\\\/g;
const openPattern = /\\{/g;
const closePattern = /\\}/g;
const commaPattern = /\\,/g;
const periodPattern = /\\\./g;
const EXPANSION_MAX = 100_000;
// `EXPANSION_MAX` caps the *number* of expansions, but not their length. An
// input like `'{a,b}'.repeat(1500)` stays under that count - its output is
// truncated to 100k results - while making every result ~1500 characters
// long. The result set, and the intermediate arrays built while combining
// brace sets, then grow large enough to exhaust memory and crash the process
// (CVE-2026-14257). `EXPANSION_MAX_LENGTH` bounds the total number of
// characters the accumulator may hold at any point, so memory stays flat no
// matter how many brace groups are chained. The limit sits well above any
// realistic expansion (100k results hitting `EXPANSION_MAX` measure ~1M
// characters) so legitimate input is unaffected.
const EXPANSION_MAX_LENGTH = 4_000_000;
// `expand_` recurses once per level of brace *nesting* - both when expanding a
// set's comma members and when re-wrapping a set whose body is a single part.
// The CVE-2026-14257 fix made the *tail* iterative (recursion on `m.post`, one
// level per chained group), which left nesting depth unbounded: about 3,100
// levels of `{{{...a,b...}}}` - only ~6KB of input - exhausted the native stack
// and crashed the process. `EXPANSION_MAX_DEPTH` bounds how deep the parser
// will follow nesting. It sits far above any realistic pattern and well below
// the depth at which the stack runs out.
const EXPANSION_MAX_DEPTH = 1_000;
// Bash keeps a quirk where a brace group followed by a comma set still expands
// (`{a},b}`). The parser implements it by rewriting the string and restarting
// the scan, absorbing one `}` per pass. `n` trailing braces therefore cost `n`
// full passes over a string that itself grows by one `escClose` sentinel each
// time - quadratic in `n`, with a ~26x constant from the sentinel's length.
// 128KB of `'{a}' + '}'.repeat(n) + ',z}'` blocked the event loop for 27
// seconds to produce two results. `EXPANSION_MAX_REWRITES` bounds how many
// times the scan may restart. Real `{a},b}` input needs a handful.
const EXPANSION_MAX_REWRITES = 1_000;
// `EXPANSION_MAX_STEPS` bounds the work one `expand` call does, which `max`,
// `maxLength` and `maxDepth` don't: nested sets are rescanned at every level
// and chained groups each rebuild up to `max` results, so 2KB of input could
// block the event loop for over 30 seconds. Each character scanned, result
// built and sequence value generated is a step, and each `expand_` call costs
// `CALL_STEPS` more. Past the budget, the set being expanded and everything
// after it stay literal. A glob needs a few hundred steps, and nesting all the
// way to `EXPANSION_MAX_DEPTH` about 4M.
const EXPANSION_MAX_STEPS = 20_000_000;
// What one `expand_` call costs on top of what it scans and builds. Setting
// one up takes about as long as scanning 16 characters, and a set whose
// results are wrapped to be expanded again makes one call per result, each
// scanning and building next to nothing: 64KB of
// `('{{' + ','.repeat(316) + '}{' + ','.repeat(316) + '}}').repeat(n)` made
// 4M such calls, which spent the budget three times as slowly as anything
// else.
const CALL_STEPS = 16;
function numeric(str) {
    return !isNaN(str) ? parseInt(str, 10) : str.charCodeAt(0);
}
function escapeBraces(str) {
    return str
        .replace(slashPattern, escSlash)
        .replace(openPattern, escOpen)
        .replace(closePattern, escClose)
        .replace(commaPattern, escComma)
        .replace(periodPattern, escPeriod);
}
function unescapeBraces(str) {
    return str
        .replace(escSlashPattern, '\\')
        .replace(escOpenPattern, '{')
        .replace(escClosePattern, '}')
        .replace(escCommaPattern, ',')
        .replace(escPeriodPattern, '.');
}
// Like `target.push(...items)` but doesn't overflow the stack
function pushAll(target, items) {
    for (let i = 0; i < items.length; i++) {
        target.push(items[i]);
    }
}
// `balanced`, run on `masked` (see `maskUnmatchedOpens`), sliced from `str`
// and charged for the characters it walks: up to the group's `}`, or the
// whole string when there is no match or unmatched `{` come first, which
// `unmatched` then flags for masking. Once a call overdraws the budget, it
// and every later one return undefined, so the rest stays literal.
function balancedWithBudget(str, masked, budget) {
    if (budget.remaining < 0) {
        return undefined;
    }
    const r = range('{', '}', masked);
    const unmatched = r !== undefined && masked.indexOf('{') < r[0];
    budget.remaining -= r && !unmatched ? r[1] + 1 : str.length;
    if (!r || budget.remaining < 0) {
        return undefined;
    }
    return {
        end: r[1],
        pre: str.slice(0, r[0]),
        body: str.slice(r[0] + 1, r[1]),
        post: str.slice(r[1] + 1),
        unmatched,
    };
}
// `masked` with every `{` that has no matching `}` swapped for a `\0`, which
// keeps the length, so a scan of it still lines up with the string it was
// made from. Such a `{` is literal either way, but `balanced` only learns that
// one is unmatched by reading to the end of the string, so with one at the
// head of every group (`'{a,{b,c}'.repeat(n)`) each scan read the rest of the
// input. That was quadratic, and once the step budget charged for it, it ran
// out partway through and left the rest literal. A scan of the masked copy
// stops at the group's `}`. It is one pass, charged as such.
function maskUnmatchedOpens(masked, budget) {
    budget.remaining -= masked.length;
    const open = [];
    for (let i = 0; i < masked.length; i++) {
        const c = masked.charCodeAt(i);
        if (c === 0x7b) {
            open.push(i);
        }
        else if (c === 0x7d && open.length) {
            open.pop();
        }
    }
    let out = '';
    let last = 0;
    for (let i = 0; i < open.length; i++) {
        const at = open[i];
        out += masked.slice(last, at) + '\0';
        last = at + 1;
    }
    return out + masked.slice(last);
}
// Whether `str` has a `,` not followed by another `,`, with a `}` after it on
// the same line - what `/,(?!,).*\}/.test(str)` asks, answered in one pass from
// the end. The regex tries every `,` and backtracks through the rest of its
// line from each, which is quadratic, and the `{a},b}` rewrite asks again on
// every pass. Like a scan, it is charged for the whole string and refused if
// that overdraws the budget.
function commaSetFollows(str, budget) {
    budget.remaining -= str.length;
    if (budget.remaining < 0) {
        return false;
    }
    // Whether a `}` follows the current position before the line ends
    let close = false;
    for (let i = str.length - 1; i >= 0; i--) {
        const c = str.charCodeAt(i);
        if (c === 0x7d) {
            close = true;
        }
        else if (c === 0x0a || c === 0x0d || c === 0x2028 || c === 0x2029) {
            // A line terminator, which `.` does not match
            close = false;
        }
        else if (c === 0x2c && close && str.charCodeAt(i + 1) !== 0x2c) {
            return true;
        }
    }
    return false;
}
/**
 * Basically just str.split(","), but handling cases
 * where we have nested braced sections, which should be
 * treated as individual members, like {a,{b,c},d}
 *
 * Returns `undefined` if the step budget runs out before the whole set is
 * split, since splitting what is left on every comma would tear apart the
 * nested sets it still holds.
 */
function parseCommaParts(str, budget) {
    const parts = [];
    // Walk the brace groups iteratively. Recursing on `post` once per group let a
    // chain of them exhaust the stack - the parsing-side counterpart to
    // the `expand_` overflow fixed for CVE-2026-14257, and not something `max` or
    // `maxLength` can bound, since it happens before expansion.
    //
    // The part the next chunk continues
    let carry = '';
    for (;;) {
        // A set's body holds no unmatched `{`, so there is nothing to mask.
        const m = balancedWithBudget(str, str, budget);
        if (budget.remaining < 0) {
            return undefined;
        }
        if (!m) {
            const tail = str.split(',');
            tail[0] = carry + tail[0];
            pushAll(parts, tail);
            return parts;
        }
        const { pre, body, post } = m;
        const p = pre.split(',');
        p[0] = carry + p[0];
        p[p.length - 1] += '{' + body + '}';
        if (!post.length) {
            pushAll(parts, p);
            return parts;
        }
        carry = p.pop();
        pushAll(parts, p);
        str = post;
    }
}
// An option that is left out, or that is NaN, gets its default. Every
// comparison against NaN is false, so a NaN bound would never be reached:
// `{ maxSteps: NaN }` let 15KB of input block the event loop for 16 seconds,
// and `{ maxDepth: NaN }` overflowed the stack again (CVE-2026-102278). Pass
// `Infinity` to lift a bound.
function bound(value, fallback) {
    return value === undefined || isNaN(value) ? fallback : value;
}
function expand(str, options = {}) {
    if (!str) {
        return [];
    }
    const max = bound(options.max, EXPANSION_MAX);
    const maxLength = bound(options.maxLength, EXPANSION_MAX_LENGTH);
    const maxDepth = bound(options.maxDepth, EXPANSION_MAX_DEPTH);
    const maxRewrites = bound(options.maxRewrites, EXPANSION_MAX_REWRITES);
    const maxSteps = bound(options.maxSteps, EXPANSION_MAX_STEPS);
    // I don't know why Bash 4.3 does this, but it does.
    // Anything starting with {} will have the first two bytes preserved
    // but *only* at the top level, so {},a}b will not expand to anything,
    // but a{},b}c will be expanded to [a}c,abc].
    // One could argue that this is a bug in Bash, but since the goal of
    // this module is to match Bash's rules, we escape a leading {}
    if (str.slice(0, 2) === '{}') {
        str = '\\{\\}' + str.slice(2);
    }
    return expand_(escapeBraces(str), max, maxLength, maxDepth, 0, maxRewrites, { remaining: maxSteps }, true).map(unescapeBraces);
}
function embrace(str) {
    return '{' + str + '}';
}
function isPadded(el) {
    return /^-?0\d/.test(el);
}
function lte(i, y) {
    return i <= y;
}
function gte(i, y) {
    return i >= y;
}
// Build `{ acc[a] + pre + values[v] }` for every combination, capping the
// number of results at `max` and the total number of characters at `maxLength`.
// This is the one place output grows, so bounding it here keeps the single
// accumulator - and therefore memory - flat regardless of how many brace groups
// are combined (CVE-2026-14257). Each result built is a step, since `max` and
// `maxLength` bound one combination, not how many brace groups are combined.
function combine(acc, pre, values, max, maxLength, dropEmpties, budget) {
    const out = [];
    let length = 0;
    // Bash drops empty results at the top level, and they don't count against
    // `max`, so `max` bounds the number of *kept* results. Only an empty
    // `acc[a] + pre` can make one, so for those the empty values are skipped
    // without being visited. Visiting them one at a time let a set of empties
    // cost `acc.length * values.length` while keeping nothing.
    let nonEmpty;
    outer: for (let a = 0; a < acc.length; a++) {
        const prefix = acc[a] + pre;
        let vs = values;
        if (dropEmpties && !prefix) {
            if (!nonEmpty)
                nonEmpty = values.filter(v => v);
            vs = nonEmpty;
        }
        for (let v = 0; v < vs.length; v++) {
            if (out.length >= max)
                break outer;
            const expansion = prefix + vs[v];
            if (length + expansion.length > maxLength)
                break outer;
            out.push(expansion);
            length += expansion.length;
        }
    }
    budget.remaining -= out.length;
    return out;
}
// The expansion values of a single numeric (`1..5`) or alphabetic (`a..e..2`)
// sequence body, or `undefined` if the step budget runs out generating them.
function expandSequence(body, isAlphaSequence, max, maxLength, budget) {
    const n = body.split(/\.\./);
    const N = [];
    // A sequence body always splits into two or three parts, but the compiler
    // can't know that.
    /* c8 ignore start */
    if (n[0] === undefined || n[1] === undefined) {
        return N;
    }
    /* c8 ignore stop */
    const x = numeric(n[0]);
    const y = numeric(n[1]);
    const width = Math.max(n[0].length, n[1].length);
    let incr = n.length === 3 && n[2] !== undefined ?
        Math.max(Math.abs(numeric(n[2])), 1)
        : 1;
    let test = lte;
    const reverse = y < x;
    if (reverse) {
        incr *= -1;
        test = gte;
    }
    const pad = n.some(isPadded);
    // A padded value is built a character at a time to `width`, which the input
    // sets, so it costs one step per character: 64KB of
    // `('{' + '0'.repeat(100) + '..99999}').repeat(n)` took 7 seconds charged
    // one step per value.
    const cost = pad ? width : 1;
    let length = 0;
    for (let i = x; test(i, y) && N.length < max; i += incr) {
        // Each value is a step. `max` and `maxLength` bound one sequence, but a
        // chain of them still generated up to `max` values each, however few
        // combining could keep.
        budget.remaining -= cost;
        if (budget.remaining < 0) {
            return undefined;
        }
        let c;
        if (isAlphaSequence) {
            c = String.fromCharCode(i);
            if (c === '\\') {
                c = '';
            }
        }
        else {
            c = String(i);
            if (pad) {
                const need = width - c.length;
                if (need > 0) {
                    const z = new Array(need + 1).join('0');
                    if (i < 0) {
                        c = '-' + z + c.slice(1);
                    }
                    else {
                        c = z + c;
                    }
                }
            }
        }
        if (length + c.length > maxLength)
            break;
        N.push(c);
        length += c.length;
    }
    return N;
}
function expand_(str, max, maxLength, maxDepth, depth, maxRewrites, budget, isTop) {
    // An overdraft here makes the first scan refuse, so `str` stays literal.
    budget.remaining -= CALL_STEPS;
    // Too deeply nested to keep following: treat the rest as literal, the same
    // way a group that cannot expand is already handled. Truncating rather than
    // throwing keeps `expand` total, matching `max` and `maxLength`.
    if (depth > maxDepth) {
        return [str];
    }
    // Consume the string's top-level brace groups left to right, threading a
    // running set of combined prefixes (`acc`). Expanding the tail iteratively -
    // rather than recursing on `m.post` once per group - keeps the native stack
    // depth constant, so deeply chained input (`'{a,b}'.repeat(3000)`) can no
    // longer overflow the stack, and leaves a single accumulator whose size
    // `maxLength` bounds directly (CVE-2026-14257).
    let acc = [''];
    // Bash drops empty results, but only when the *first* top-level group is a
    // comma set - a sequence like `{a..\}` may legitimately yield ''. The drop
    // is on the final strings, so it is applied to whichever `combine` produces
    // them (the one with no brace set left in the tail).
    // How many times the `{a},b}` rewrite below has restarted the scan. Each pass
    // re-reads the whole string, so leaving this unbounded is quadratic.
    let rewrites = 0;
    let dropEmpties = false;
    let firstGroup = true;
    // `str` with its unmatched `{` masked, once a scan has run into them
    let masked = str;
    for (;;) {
        const m = balancedWithBudget(str, masked, budget);
        // No brace set left, or no step budget left to look for one: the rest of
        // the string is literal.
        if (!m) {
            return combine(acc, str, [''], max, maxLength, dropEmpties, budget);
        }
        if (m.unmatched) {
            masked = maskUnmatchedOpens(masked, budget);
        }
        // no need to expand pre, since it is guaranteed to be free of brace-sets
        const pre = m.pre;
        // This set and the rest of the string, literal: for a set that cannot
        // expand, and for one the step budget runs out on. Once it is overdrawn,
        // every set still being expanded, at every level, stays literal like this -
        // otherwise each level above would go on combining, and wrapping and
        // expanding again, results the budget was too small for.
        const literal = () => combine(acc, pre + '{' + m.body + '}' + m.post, [''], max, maxLength, dropEmpties, budget);
        if (/\$$/.test(pre)) {
            acc = combine(acc, pre + '{' + m.body + '}', [''], max, maxLength, dropEmpties && !m.post.length, budget);
            firstGroup = false;
            if (!m.post.length)
                break;
            str = m.post;
            masked = masked.slice(m.end + 1);
            continue;
        }
        const isNumericSequence = /^-?\d+\.\.-?\d+(?:\.\.-?\d+)?$/.test(m.body);
        const isAlphaSequence = /^[a-zA-Z]\.\.[a-zA-Z](?:\.\.-?\d+)?$/.test(m.body);
        const isSequence = isNumericSequence || isAlphaSequence;
        const isOptions = m.body.indexOf(',') >= 0;
        if (!isSequence && !isOptions) {
            // {a},b}
            if (rewrites < maxRewrites && commaSetFollows(m.post, budget)) {
                rewrites++;
                str = m.pre + '{' + m.body + escClose + m.post;
                // Taking a `}` away never gives an unmatched `{` a partner, so what
                // is masked stays unmatched. The `{` it closed can be left without
                // one, and the next scan masks it.
                masked =
                    masked.slice(0, m.end) + escClose + masked.slice(m.end + 1);
                isTop = true;
                continue;
            }
            // Nothing here expands, so the whole remaining string is literal.
            return literal();
        }
        if (firstGroup) {
            dropEmpties = isTop && !isSequence;
            firstGroup = false;
        }
        let values;
        if (isSequence) {
            values = expandSequence(m.body, isAlphaSequence, max, maxLength, budget);
            if (!values) {
                return literal();
            }
        }
        else {
            let n = parseCommaParts(m.body, budget);
            // The step budget ran out partway through the set.
            if (!n) {
                return literal();
            }
            if (n.length === 1 && n[0] !== undefined) {
                // x{{a,b}}y ==> x{a}y x{b}y
                n = expand_(n[0], max, maxLength, maxDepth, depth + 1, maxRewrites, budget, false).map(embrace);
                // The step budget ran out expanding the set's only part.
                if (budget.remaining < 0) {
                    return literal();
                }
                //XXX is this necessary? Can't seem to hit it in tests.
                /* c8 ignore start */
                if (n.length === 1) {
                    const next = combine(acc, pre + n[0], [''], max, maxLength, dropEmpties && !m.post.length, budget);
                    if (budget.remaining < 0) {
                        return literal();
                    }
                    acc = next;
                    if (!m.post.length)
                        break;
                    str = m.post;
                    masked = masked.slice(m.end + 1);
                    continue;
                }
                /* c8 ignore stop */
            }
            // Values that `combine` is going to drop as empty produce no result, so
            // they must not count against `max` - otherwise `{a,,b}` with `max: 2`
            // would stop at `['a', '']` and yield one result instead of two. Skipping
            // them outright keeps `values` bounded while leaving `max` a bound on
            // *kept* results.
            let dropsEmpties = dropEmpties && !m.post.length && !pre;
            for (let d = 0; dropsEmpties && d < acc.length; d++) {
                if (acc[d]) {
                    dropsEmpties = false;
                }
            }
            values = [];
            let valuesLength = 0;
            outer: for (let j = 0; j < n.length; j++) {
                const expanded = expand_(n[j], max, maxLength, maxDepth, depth + 1, maxRewrites, budget, false);
                // The step budget ran out expanding a member.
                if (budget.remaining < 0) {
                    return literal();
                }
                for (let k = 0; k < expanded.length; k++) {
                    const v = expanded[k];
                    if (dropsEmpties && !v)
                        continue;
                    if (values.length >= max ||
                        valuesLength + v.length > maxLength) {
                        break outer;
                    }
                    values.push(v);
                    valuesLength += v.length;
                }
            }
        }
        const next = combine(acc, pre, values, max, maxLength, dropEmpties && !m.post.length, budget);
        // The step budget ran out combining the set's values in.
        if (budget.remaining < 0) {
            return literal();
        }
        acc = next;
        if (!m.post.length)
            break;
        str = m.post;
        masked = masked.slice(m.end + 1);
    }
    return acc;
}
//# sourceMappingURL=index.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/assert-valid-pattern.js
const MAX_PATTERN_LENGTH = 1024 * 64;
const assertValidPattern = (pattern) => {
    if (typeof pattern !== 'string') {
        throw new TypeError('invalid pattern');
    }
    if (pattern.length > MAX_PATTERN_LENGTH) {
        throw new TypeError('pattern is too long');
    }
};
//# sourceMappingURL=assert-valid-pattern.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/brace-expressions.js
// translate the various posix character classes into unicode properties
// this works across all unicode locales
// { <posix class>: [<translation>, /u flag required, negated]
const posixClasses = {
    '[:alnum:]': ['\\p{L}\\p{Nl}\\p{Nd}', true],
    '[:alpha:]': ['\\p{L}\\p{Nl}', true],
    '[:ascii:]': ['\\x' + '00-\\x' + '7f', false],
    '[:blank:]': ['\\p{Zs}\\t', true],
    '[:cntrl:]': ['\\p{Cc}', true],
    '[:digit:]': ['\\p{Nd}', true],
    '[:graph:]': ['\\p{Z}\\p{C}', true, true],
    '[:lower:]': ['\\p{Ll}', true],
    '[:print:]': ['\\p{C}', true],
    '[:punct:]': ['\\p{P}', true],
    '[:space:]': ['\\p{Z}\\t\\r\\n\\v\\f', true],
    '[:upper:]': ['\\p{Lu}', true],
    '[:word:]': ['\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}', true],
    '[:xdigit:]': ['A-Fa-f0-9', false],
};
// only need to escape a few things inside of brace expressions
// escapes: [ \ ] -
const braceEscape = (s) => s.replace(/[[\]\\-]/g, '\\$&');
// escape all regexp magic characters
const regexpEscape = (s) => s.replace(/[-[\]{}()*+?.,\\^$|#\s]/g, '\\$&');
// everything has already been escaped, we just have to join
const rangesToString = (ranges) => ranges.join('');
// takes a glob string at a posix brace expression, and returns
// an equivalent regular expression source, and boolean indicating
// whether the /u flag needs to be applied, and the number of chars
// consumed to parse the character class.
// This also removes out of order ranges, and returns ($.) if the
// entire class just no good.
const parseClass = (glob, position) => {
    const pos = position;
    /* c8 ignore start */
    if (glob.charAt(pos) !== '[') {
        throw new Error('not in a brace expression');
    }
    /* c8 ignore stop */
    const ranges = [];
    const negs = [];
    let i = pos + 1;
    let sawStart = false;
    let uflag = false;
    let escaping = false;
    let negate = false;
    let endPos = pos;
    let rangeStart = '';
    WHILE: while (i < glob.length) {
        const c = glob.charAt(i);
        if ((c === '!' || c === '^') && i === pos + 1) {
            negate = true;
            i++;
            continue;
        }
        if (c === ']' && sawStart && !escaping) {
            endPos = i + 1;
            break;
        }
        sawStart = true;
        if (c === '\\') {
            if (!escaping) {
                escaping = true;
                i++;
                continue;
            }
            // escaped \ char, fall through and treat like normal char
        }
        if (c === '[' && !escaping) {
            // either a posix class, a collation equivalent, or just a [
            for (const [cls, [unip, u, neg]] of Object.entries(posixClasses)) {
                if (glob.startsWith(cls, i)) {
                    // invalid, [a-[] is fine, but not [a-[:alpha]]
                    if (rangeStart) {
                        return ['$.', false, glob.length - pos, true];
                    }
                    i += cls.length;
                    if (neg)
                        negs.push(unip);
                    else
                        ranges.push(unip);
                    uflag = uflag || u;
                    continue WHILE;
                }
            }
        }
        // now it's just a normal character, effectively
        escaping = false;
        if (rangeStart) {
            // throw this range away if it's not valid, but others
            // can still match.
            if (c > rangeStart) {
                ranges.push(braceEscape(rangeStart) + '-' + braceEscape(c));
            }
            else if (c === rangeStart) {
                ranges.push(braceEscape(c));
            }
            rangeStart = '';
            i++;
            continue;
        }
        // now might be the start of a range.
        // can be either c-d or c-] or c<more...>] or c] at this point
        if (glob.startsWith('-]', i + 1)) {
            ranges.push(braceEscape(c + '-'));
            i += 2;
            continue;
        }
        if (glob.startsWith('-', i + 1)) {
            rangeStart = c;
            i += 2;
            continue;
        }
        // not the start of a range, just a single character
        ranges.push(braceEscape(c));
        i++;
    }
    if (endPos < i) {
        // didn't see the end of the class, not a valid class,
        // but might still be valid as a literal match.
        return ['', false, 0, false];
    }
    // if we got no ranges and no negates, then we have a range that
    // cannot possibly match anything, and that poisons the whole glob
    if (!ranges.length && !negs.length) {
        return ['$.', false, glob.length - pos, true];
    }
    // if we got one positive range, and it's a single character, then that's
    // not actually a magic pattern, it's just that one literal character.
    // we should not treat that as "magic", we should just return the literal
    // character. [_] is a perfectly valid way to escape glob magic chars.
    if (negs.length === 0 &&
        ranges.length === 1 &&
        /^\\?.$/.test(ranges[0]) &&
        !negate) {
        const r = ranges[0].length === 2 ? ranges[0].slice(-1) : ranges[0];
        return [regexpEscape(r), false, endPos - pos, false];
    }
    const sranges = '[' + (negate ? '^' : '') + rangesToString(ranges) + ']';
    const snegs = '[' + (negate ? '' : '^') + rangesToString(negs) + ']';
    const comb = ranges.length && negs.length ? '(' + sranges + '|' + snegs + ')'
        : ranges.length ? sranges
            : snegs;
    return [comb, uflag, endPos - pos, true];
};
//# sourceMappingURL=brace-expressions.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/unescape.js
/**
 * Un-escape a string that has been escaped with {@link escape}.
 *
 * If the {@link MinimatchOptions.windowsPathsNoEscape} option is used, then
 * square-bracket escapes are removed, but not backslash escapes.
 *
 * For example, it will turn the string `'[*]'` into `*`, but it will not
 * turn `'\\*'` into `'*'`, because `\` is a path separator in
 * `windowsPathsNoEscape` mode.
 *
 * When `windowsPathsNoEscape` is not set, then both square-bracket escapes and
 * backslash escapes are removed.
 *
 * Slashes (and backslashes in `windowsPathsNoEscape` mode) cannot be escaped
 * or unescaped.
 *
 * When `magicalBraces` is not set, escapes of braces (`{` and `}`) will not be
 * unescaped.
 */
const unescape_unescape = (s, { windowsPathsNoEscape = false, magicalBraces = true, } = {}) => {
    if (magicalBraces) {
        return windowsPathsNoEscape ?
            s.replace(/\[([^/\\])\]/g, '$1')
            : s
                .replace(/((?!\\).|^)\[([^/\\])\]/g, '$1$2')
                .replace(/\\([^/])/g, '$1');
    }
    return windowsPathsNoEscape ?
        s.replace(/\[([^/\\{}])\]/g, '$1')
        : s
            .replace(/((?!\\).|^)\[([^/\\{}])\]/g, '$1$2')
            .replace(/\\([^/{}])/g, '$1');
};
//# sourceMappingURL=unescape.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/ast.js
// parse a single path portion
var _a;


const types = new Set(['!', '?', '+', '*', '@']);
const isExtglobType = (c) => types.has(c);
const isExtglobAST = (c) => isExtglobType(c.type);
// Map of which extglob types can adopt the children of a nested extglob
//
// anything but ! can adopt a matching type:
// +(a|+(b|c)|d) => +(a|b|c|d)
// *(a|*(b|c)|d) => *(a|b|c|d)
// @(a|@(b|c)|d) => @(a|b|c|d)
// ?(a|?(b|c)|d) => ?(a|b|c|d)
//
// * can adopt anything, because 0 or repetition is allowed
// *(a|?(b|c)|d) => *(a|b|c|d)
// *(a|+(b|c)|d) => *(a|b|c|d)
// *(a|@(b|c)|d) => *(a|b|c|d)
//
// + can adopt @, because 1 or repetition is allowed
// +(a|@(b|c)|d) => +(a|b|c|d)
//
// + and @ CANNOT adopt *, because 0 would be allowed
// +(a|*(b|c)|d) => would match "", on *(b|c)
// @(a|*(b|c)|d) => would match "", on *(b|c)
//
// + and @ CANNOT adopt ?, because 0 would be allowed
// +(a|?(b|c)|d) => would match "", on ?(b|c)
// @(a|?(b|c)|d) => would match "", on ?(b|c)
//
// ? can adopt @, because 0 or 1 is allowed
// ?(a|@(b|c)|d) => ?(a|b|c|d)
//
// ? and @ CANNOT adopt * or +, because >1 would be allowed
// ?(a|*(b|c)|d) => would match bbb on *(b|c)
// @(a|*(b|c)|d) => would match bbb on *(b|c)
// ?(a|+(b|c)|d) => would match bbb on +(b|c)
// @(a|+(b|c)|d) => would match bbb on +(b|c)
//
// ! CANNOT adopt ! (nothing else can either)
// !(a|!(b|c)|d) => !(a|b|c|d) would fail to match on b (not not b|c)
//
// ! can adopt @
// !(a|@(b|c)|d) => !(a|b|c|d)
//
// ! CANNOT adopt *
// !(a|*(b|c)|d) => !(a|b|c|d) would match on bbb, not allowed
//
// ! CANNOT adopt +
// !(a|+(b|c)|d) => !(a|b|c|d) would match on bbb, not allowed
//
// ! CANNOT adopt ?
// x!(a|?(b|c)|d) => x!(a|b|c|d) would fail to match "x"
const adoptionMap = new Map([
    ['!', ['@']],
    ['?', ['?', '@']],
    ['@', ['@']],
    ['*', ['*', '+', '?', '@']],
    ['+', ['+', '@']],
]);
// nested extglobs that can be adopted in, but with the addition of
// a blank '' element.
const adoptionWithSpaceMap = new Map([
    ['!', ['?']],
    ['@', ['?']],
    ['+', ['?', '*']],
]);
// union of the previous two maps
const adoptionAnyMap = new Map([
    ['!', ['?', '@']],
    ['?', ['?', '@']],
    ['@', ['?', '@']],
    ['*', ['*', '+', '?', '@']],
    ['+', ['+', '@', '?', '*']],
]);
// Extglobs that can take over their parent if they are the only child
// the key is parent, value maps child to resulting extglob parent type
// '@' is omitted because it's a special case. An `@` extglob with a single
// member can always be usurped by that subpattern.
const usurpMap = new Map([
    ['!', new Map([['!', '@']])],
    [
        '?',
        new Map([
            ['*', '*'],
            ['+', '*'],
        ]),
    ],
    [
        '@',
        new Map([
            ['!', '!'],
            ['?', '?'],
            ['@', '@'],
            ['*', '*'],
            ['+', '+'],
        ]),
    ],
    [
        '+',
        new Map([
            ['?', '*'],
            ['*', '*'],
        ]),
    ],
]);
// Patterns that get prepended to bind to the start of either the
// entire string, or just a single path portion, to prevent dots
// and/or traversal patterns, when needed.
// Exts don't need the ^ or / bit, because the root binds that already.
const startNoTraversal = '(?!(?:^|/)\\.\\.?(?:$|/))';
const startNoDot = '(?!\\.)';
// characters that indicate a start of pattern needs the "no dots" bit,
// because a dot *might* be matched. ( is not in the list, because in
// the case of a child extglob, it will handle the prevention itself.
const addPatternStart = new Set(['[', '.']);
// cases where traversal is A-OK, no dot prevention needed
const justDots = new Set(['..', '.']);
const reSpecials = new Set('().*{}+?[]^$\\!');
const regExpEscape = (s) => s.replace(/[-[\]{}()*+?.,\\^$|#\s]/g, '\\$&');
// any single thing other than /
const qmark = '[^/]';
// * => any number of characters
const star = qmark + '*?';
// use + when we need to ensure that *something* matches, because the * is
// the only thing in the path portion.
const starNoEmpty = qmark + '+?';
// remove the \ chars that we added if we end up doing a nonmagic compare
// const deslash = (s: string) => s.replace(/\\(.)/g, '$1')
let ID = 0;
class AST {
    type;
    #root;
    #hasMagic;
    #uflag = false;
    #parts = [];
    #parent;
    #parentIndex;
    #negs;
    #filledNegs = false;
    #options;
    #toString;
    // set to true if it's an extglob with no children
    // (which really means one child of '')
    #emptyExt = false;
    id = ++ID;
    get depth() {
        return (this.#parent?.depth ?? -1) + 1;
    }
    [Symbol.for('nodejs.util.inspect.custom')]() {
        return {
            '@@type': 'AST',
            id: this.id,
            type: this.type,
            root: this.#root.id,
            parent: this.#parent?.id,
            depth: this.depth,
            partsLength: this.#parts.length,
            parts: this.#parts,
        };
    }
    constructor(type, parent, options = {}) {
        this.type = type;
        // extglobs are inherently magical
        if (type)
            this.#hasMagic = true;
        this.#parent = parent;
        this.#root = this.#parent ? this.#parent.#root : this;
        this.#options = this.#root === this ? options : this.#root.#options;
        this.#negs = this.#root === this ? [] : this.#root.#negs;
        if (type === '!' && !this.#root.#filledNegs)
            this.#negs.push(this);
        this.#parentIndex = this.#parent ? this.#parent.#parts.length : 0;
    }
    get hasMagic() {
        /* c8 ignore start */
        if (this.#hasMagic !== undefined)
            return this.#hasMagic;
        /* c8 ignore stop */
        for (const p of this.#parts) {
            if (typeof p === 'string')
                continue;
            if (p.type || p.hasMagic)
                return (this.#hasMagic = true);
        }
        // note: will be undefined until we generate the regexp src and find out
        return this.#hasMagic;
    }
    // reconstructs the pattern
    toString() {
        return (this.#toString !== undefined ? this.#toString
            : !this.type ?
                (this.#toString = this.#parts.map(p => String(p)).join(''))
                : (this.#toString =
                    this.type +
                        '(' +
                        this.#parts.map(p => String(p)).join('|') +
                        ')'));
    }
    #fillNegs() {
        /* c8 ignore start */
        if (this !== this.#root)
            throw new Error('should only call on root');
        if (this.#filledNegs)
            return this;
        /* c8 ignore stop */
        // call toString() once to fill this out
        this.toString();
        this.#filledNegs = true;
        let n;
        while ((n = this.#negs.pop())) {
            if (n.type !== '!')
                continue;
            // walk up the tree, appending everthing that comes AFTER parentIndex
            let p = n;
            let pp = p.#parent;
            while (pp) {
                for (let i = p.#parentIndex + 1; !pp.type && i < pp.#parts.length; i++) {
                    for (const part of n.#parts) {
                        /* c8 ignore start */
                        if (typeof part === 'string') {
                            throw new Error('string part in extglob AST??');
                        }
                        /* c8 ignore stop */
                        part.copyIn(pp.#parts[i]);
                    }
                }
                p = pp;
                pp = p.#parent;
            }
        }
        return this;
    }
    push(...parts) {
        for (const p of parts) {
            if (p === '')
                continue;
            /* c8 ignore start */
            if (typeof p !== 'string' &&
                !(p instanceof _a && p.#parent === this)) {
                throw new Error('invalid part: ' + p);
            }
            /* c8 ignore stop */
            this.#parts.push(p);
        }
    }
    toJSON() {
        const ret = this.type === null ?
            this.#parts
                .slice()
                .map(p => (typeof p === 'string' ? p : p.toJSON()))
            : [this.type, ...this.#parts.map(p => p.toJSON())];
        if (this.isStart() && !this.type)
            ret.unshift([]);
        if (this.isEnd() &&
            (this === this.#root ||
                (this.#root.#filledNegs && this.#parent?.type === '!'))) {
            ret.push({});
        }
        return ret;
    }
    isStart() {
        if (this.#root === this)
            return true;
        // if (this.type) return !!this.#parent?.isStart()
        if (!this.#parent?.isStart())
            return false;
        if (this.#parentIndex === 0)
            return true;
        // if everything AHEAD of this is a negation, then it's still the "start"
        const p = this.#parent;
        for (let i = 0; i < this.#parentIndex; i++) {
            const pp = p.#parts[i];
            if (!(pp instanceof _a && pp.type === '!')) {
                return false;
            }
        }
        return true;
    }
    isEnd() {
        if (this.#root === this)
            return true;
        if (this.#parent?.type === '!')
            return true;
        if (!this.#parent?.isEnd())
            return false;
        if (!this.type)
            return this.#parent?.isEnd();
        // if not root, it'll always have a parent
        /* c8 ignore start */
        const pl = this.#parent ? this.#parent.#parts.length : 0;
        /* c8 ignore stop */
        return this.#parentIndex === pl - 1;
    }
    copyIn(part) {
        if (typeof part === 'string')
            this.push(part);
        else
            this.push(part.clone(this));
    }
    clone(parent) {
        const c = new _a(this.type, parent);
        for (const p of this.#parts) {
            c.copyIn(p);
        }
        return c;
    }
    static #parseAST(str, ast, pos, opt, extDepth) {
        const maxDepth = opt.maxExtglobRecursion ?? 2;
        let escaping = false;
        let inBrace = false;
        let braceStart = -1;
        let braceNeg = false;
        if (ast.type === null) {
            // outside of a extglob, append until we find a start
            let i = pos;
            let acc = '';
            while (i < str.length) {
                const c = str.charAt(i++);
                // still accumulate escapes at this point, but we do ignore
                // starts that are escaped
                if (escaping || c === '\\') {
                    escaping = !escaping;
                    acc += c;
                    continue;
                }
                if (inBrace) {
                    if (i === braceStart + 1) {
                        if (c === '^' || c === '!') {
                            braceNeg = true;
                        }
                    }
                    else if (c === ']' && !(i === braceStart + 2 && braceNeg)) {
                        inBrace = false;
                    }
                    acc += c;
                    continue;
                }
                else if (c === '[') {
                    inBrace = true;
                    braceStart = i;
                    braceNeg = false;
                    acc += c;
                    continue;
                }
                // we don't have to check for adoption here, because that's
                // done at the other recursion point.
                const doRecurse = !opt.noext &&
                    isExtglobType(c) &&
                    str.charAt(i) === '(' &&
                    extDepth <= maxDepth;
                if (doRecurse) {
                    ast.push(acc);
                    acc = '';
                    const ext = new _a(c, ast);
                    i = _a.#parseAST(str, ext, i, opt, extDepth + 1);
                    ast.push(ext);
                    continue;
                }
                acc += c;
            }
            ast.push(acc);
            return i;
        }
        // some kind of extglob, pos is at the (
        // find the next | or )
        let i = pos + 1;
        let part = new _a(null, ast);
        const parts = [];
        let acc = '';
        while (i < str.length) {
            const c = str.charAt(i++);
            // still accumulate escapes at this point, but we do ignore
            // starts that are escaped
            if (escaping || c === '\\') {
                escaping = !escaping;
                acc += c;
                continue;
            }
            if (inBrace) {
                if (i === braceStart + 1) {
                    if (c === '^' || c === '!') {
                        braceNeg = true;
                    }
                }
                else if (c === ']' && !(i === braceStart + 2 && braceNeg)) {
                    inBrace = false;
                }
                acc += c;
                continue;
            }
            else if (c === '[') {
                inBrace = true;
                braceStart = i;
                braceNeg = false;
                acc += c;
                continue;
            }
            const doRecurse = !opt.noext &&
                isExtglobType(c) &&
                str.charAt(i) === '(' &&
                /* c8 ignore start - the maxDepth is sufficient here */
                (extDepth <= maxDepth || (ast && ast.#canAdoptType(c)));
            /* c8 ignore stop */
            if (doRecurse) {
                const depthAdd = ast && ast.#canAdoptType(c) ? 0 : 1;
                part.push(acc);
                acc = '';
                const ext = new _a(c, part);
                part.push(ext);
                i = _a.#parseAST(str, ext, i, opt, extDepth + depthAdd);
                continue;
            }
            if (c === '|') {
                part.push(acc);
                acc = '';
                parts.push(part);
                part = new _a(null, ast);
                continue;
            }
            if (c === ')') {
                if (acc === '' && ast.#parts.length === 0) {
                    ast.#emptyExt = true;
                }
                part.push(acc);
                acc = '';
                ast.push(...parts, part);
                return i;
            }
            acc += c;
        }
        // unfinished extglob
        // if we got here, it was a malformed extglob! not an extglob, but
        // maybe something else in there.
        ast.type = null;
        ast.#hasMagic = undefined;
        ast.#parts = [str.substring(pos - 1)];
        return i;
    }
    #canAdoptWithSpace(child) {
        return this.#canAdopt(child, adoptionWithSpaceMap);
    }
    #canAdopt(child, map = adoptionMap) {
        if (!child ||
            typeof child !== 'object' ||
            child.type !== null ||
            child.#parts.length !== 1 ||
            this.type === null) {
            return false;
        }
        const gc = child.#parts[0];
        if (!gc || typeof gc !== 'object' || gc.type === null) {
            return false;
        }
        return this.#canAdoptType(gc.type, map);
    }
    #canAdoptType(c, map = adoptionAnyMap) {
        return !!map.get(this.type)?.includes(c);
    }
    #adoptWithSpace(child, index) {
        const gc = child.#parts[0];
        const blank = new _a(null, gc, this.options);
        blank.#parts.push('');
        gc.push(blank);
        this.#adopt(child, index);
    }
    #adopt(child, index) {
        const gc = child.#parts[0];
        this.#parts.splice(index, 1, ...gc.#parts);
        for (const p of gc.#parts) {
            if (typeof p === 'object')
                p.#parent = this;
        }
        this.#toString = undefined;
    }
    #canUsurpType(c) {
        const m = usurpMap.get(this.type);
        return !!m?.has(c);
    }
    #canUsurp(child) {
        if (!child ||
            typeof child !== 'object' ||
            child.type !== null ||
            child.#parts.length !== 1 ||
            this.type === null ||
            this.#parts.length !== 1) {
            return false;
        }
        const gc = child.#parts[0];
        if (!gc || typeof gc !== 'object' || gc.type === null) {
            return false;
        }
        return this.#canUsurpType(gc.type);
    }
    #usurp(child) {
        const m = usurpMap.get(this.type);
        const gc = child.#parts[0];
        const nt = m?.get(gc.type);
        /* c8 ignore start - impossible */
        if (!nt)
            return false;
        /* c8 ignore stop */
        this.#parts = gc.#parts;
        for (const p of this.#parts) {
            if (typeof p === 'object') {
                p.#parent = this;
            }
        }
        this.type = nt;
        this.#toString = undefined;
        this.#emptyExt = false;
    }
    static fromGlob(pattern, options = {}) {
        const ast = new _a(null, undefined, options);
        _a.#parseAST(pattern, ast, 0, options, 0);
        return ast;
    }
    // returns the regular expression if there's magic, or the unescaped
    // string if not.
    toMMPattern() {
        // should only be called on root
        /* c8 ignore start */
        if (this !== this.#root)
            return this.#root.toMMPattern();
        /* c8 ignore stop */
        const glob = this.toString();
        const [re, body, hasMagic, uflag] = this.toRegExpSource();
        // if we're in nocase mode, and not nocaseMagicOnly, then we do
        // still need a regular expression if we have to case-insensitively
        // match capital/lowercase characters.
        const anyMagic = hasMagic ||
            this.#hasMagic ||
            (this.#options.nocase &&
                !this.#options.nocaseMagicOnly &&
                glob.toUpperCase() !== glob.toLowerCase());
        if (!anyMagic) {
            return body;
        }
        const flags = (this.#options.nocase ? 'i' : '') + (uflag ? 'u' : '');
        return Object.assign(new RegExp(`^${re}$`, flags), {
            _src: re,
            _glob: glob,
        });
    }
    get options() {
        return this.#options;
    }
    // returns the string match, the regexp source, whether there's magic
    // in the regexp (so a regular expression is required) and whether or
    // not the uflag is needed for the regular expression (for posix classes)
    // TODO: instead of injecting the start/end at this point, just return
    // the BODY of the regexp, along with the start/end portions suitable
    // for binding the start/end in either a joined full-path makeRe context
    // (where we bind to (^|/), or a standalone matchPart context (where
    // we bind to ^, and not /).  Otherwise slashes get duped!
    //
    // In part-matching mode, the start is:
    // - if not isStart: nothing
    // - if traversal possible, but not allowed: ^(?!\.\.?$)
    // - if dots allowed or not possible: ^
    // - if dots possible and not allowed: ^(?!\.)
    // end is:
    // - if not isEnd(): nothing
    // - else: $
    //
    // In full-path matching mode, we put the slash at the START of the
    // pattern, so start is:
    // - if first pattern: same as part-matching mode
    // - if not isStart(): nothing
    // - if traversal possible, but not allowed: /(?!\.\.?(?:$|/))
    // - if dots allowed or not possible: /
    // - if dots possible and not allowed: /(?!\.)
    // end is:
    // - if last pattern, same as part-matching mode
    // - else nothing
    //
    // Always put the (?:$|/) on negated tails, though, because that has to be
    // there to bind the end of the negated pattern portion, and it's easier to
    // just stick it in now rather than try to inject it later in the middle of
    // the pattern.
    //
    // We can just always return the same end, and leave it up to the caller
    // to know whether it's going to be used joined or in parts.
    // And, if the start is adjusted slightly, can do the same there:
    // - if not isStart: nothing
    // - if traversal possible, but not allowed: (?:/|^)(?!\.\.?$)
    // - if dots allowed or not possible: (?:/|^)
    // - if dots possible and not allowed: (?:/|^)(?!\.)
    //
    // But it's better to have a simpler binding without a conditional, for
    // performance, so probably better to return both start options.
    //
    // Then the caller just ignores the end if it's not the first pattern,
    // and the start always gets applied.
    //
    // But that's always going to be $ if it's the ending pattern, or nothing,
    // so the caller can just attach $ at the end of the pattern when building.
    //
    // So the todo is:
    // - better detect what kind of start is needed
    // - return both flavors of starting pattern
    // - attach $ at the end of the pattern when creating the actual RegExp
    //
    // Ah, but wait, no, that all only applies to the root when the first pattern
    // is not an extglob. If the first pattern IS an extglob, then we need all
    // that dot prevention biz to live in the extglob portions, because eg
    // +(*|.x*) can match .xy but not .yx.
    //
    // So, return the two flavors if it's #root and the first child is not an
    // AST, otherwise leave it to the child AST to handle it, and there,
    // use the (?:^|/) style of start binding.
    //
    // Even simplified further:
    // - Since the start for a join is eg /(?!\.) and the start for a part
    // is ^(?!\.), we can just prepend (?!\.) to the pattern (either root
    // or start or whatever) and prepend ^ or / at the Regexp construction.
    toRegExpSource(allowDot) {
        const dot = allowDot ?? !!this.#options.dot;
        if (this.#root === this) {
            this.#flatten();
            this.#fillNegs();
        }
        if (!isExtglobAST(this)) {
            const noEmpty = this.isStart() &&
                this.isEnd() &&
                !this.#parts.some(s => typeof s !== 'string');
            const src = this.#parts
                .map(p => {
                const [re, _, hasMagic, uflag] = typeof p === 'string' ?
                    _a.#parseGlob(p, this.#hasMagic, noEmpty)
                    : p.toRegExpSource(allowDot);
                this.#hasMagic = this.#hasMagic || hasMagic;
                this.#uflag = this.#uflag || uflag;
                return re;
            })
                .join('');
            let start = '';
            if (this.isStart()) {
                if (typeof this.#parts[0] === 'string') {
                    // this is the string that will match the start of the pattern,
                    // so we need to protect against dots and such.
                    // '.' and '..' cannot match unless the pattern is that exactly,
                    // even if it starts with . or dot:true is set.
                    const dotTravAllowed = this.#parts.length === 1 && justDots.has(this.#parts[0]);
                    if (!dotTravAllowed) {
                        const aps = addPatternStart;
                        // check if we have a possibility of matching . or ..,
                        // and prevent that.
                        const needNoTrav = 
                        // dots are allowed, and the pattern starts with [ or .
                        (dot && aps.has(src.charAt(0))) ||
                            // the pattern starts with \., and then [ or .
                            (src.startsWith('\\.') && aps.has(src.charAt(2))) ||
                            // the pattern starts with \.\., and then [ or .
                            (src.startsWith('\\.\\.') && aps.has(src.charAt(4)));
                        // no need to prevent dots if it can't match a dot, or if a
                        // sub-pattern will be preventing it anyway.
                        const needNoDot = !dot && !allowDot && aps.has(src.charAt(0));
                        start =
                            needNoTrav ? startNoTraversal
                                : needNoDot ? startNoDot
                                    : '';
                    }
                }
            }
            // append the "end of path portion" pattern to negation tails
            let end = '';
            if (this.isEnd() &&
                this.#root.#filledNegs &&
                this.#parent?.type === '!') {
                end = '(?:$|\\/)';
            }
            const final = start + src + end;
            return [
                final,
                unescape_unescape(src),
                (this.#hasMagic = !!this.#hasMagic),
                this.#uflag,
            ];
        }
        // We need to calculate the body *twice* if it's a repeat pattern
        // at the start, once in nodot mode, then again in dot mode, so a
        // pattern like *(?) can match 'x.y'
        const repeated = this.type === '*' || this.type === '+';
        // some kind of extglob
        const start = this.type === '!' ? '(?:(?!(?:' : '(?:';
        let body = this.#partsToRegExp(dot);
        if (this.isStart() && this.isEnd() && !body && this.type !== '!') {
            // invalid extglob, has to at least be *something* present, if it's
            // the entire path portion.
            const s = this.toString();
            const me = this;
            me.#parts = [s];
            me.type = null;
            me.#hasMagic = undefined;
            return [s, unescape_unescape(this.toString()), false, false];
        }
        let bodyDotAllowed = !repeated || allowDot || dot || !startNoDot ?
            ''
            : this.#partsToRegExp(true);
        if (bodyDotAllowed === body) {
            bodyDotAllowed = '';
        }
        if (bodyDotAllowed) {
            body = `(?:${body})(?:${bodyDotAllowed})*?`;
        }
        // an empty !() is exactly equivalent to a starNoEmpty
        let final = '';
        if (this.type === '!' && this.#emptyExt) {
            final = (this.isStart() && !dot ? startNoDot : '') + starNoEmpty;
        }
        else {
            const close = this.type === '!' ?
                // !() must match something,but !(x) can match ''
                '))' +
                    (this.isStart() && !dot && !allowDot ? startNoDot : '') +
                    star +
                    ')'
                : this.type === '@' ? ')'
                    : this.type === '?' ? ')?'
                        : this.type === '+' && bodyDotAllowed ? ')'
                            : this.type === '*' && bodyDotAllowed ? `)?`
                                : `)${this.type}`;
            final = start + body + close;
        }
        return [
            final,
            unescape_unescape(body),
            (this.#hasMagic = !!this.#hasMagic),
            this.#uflag,
        ];
    }
    #flatten() {
        if (!isExtglobAST(this)) {
            for (const p of this.#parts) {
                if (typeof p === 'object') {
                    p.#flatten();
                }
            }
        }
        else {
            // do up to 10 passes to flatten as much as possible
            let iterations = 0;
            let done = false;
            do {
                done = true;
                for (let i = 0; i < this.#parts.length; i++) {
                    const c = this.#parts[i];
                    if (typeof c === 'object') {
                        c.#flatten();
                        if (this.#canAdopt(c)) {
                            done = false;
                            this.#adopt(c, i);
                        }
                        else if (this.#canAdoptWithSpace(c)) {
                            done = false;
                            this.#adoptWithSpace(c, i);
                        }
                        else if (this.#canUsurp(c)) {
                            done = false;
                            this.#usurp(c);
                        }
                    }
                }
            } while (!done && ++iterations < 10);
        }
        this.#toString = undefined;
    }
    #partsToRegExp(dot) {
        return this.#parts
            .map(p => {
            // extglob ASTs should only contain parent ASTs
            /* c8 ignore start */
            if (typeof p === 'string') {
                throw new Error('string type in extglob ast??');
            }
            /* c8 ignore stop */
            // can ignore hasMagic, because extglobs are already always magic
            const [re, _, _hasMagic, uflag] = p.toRegExpSource(dot);
            this.#uflag = this.#uflag || uflag;
            return re;
        })
            .filter(p => !(this.isStart() && this.isEnd()) || !!p)
            .join('|');
    }
    static #parseGlob(glob, hasMagic, noEmpty = false) {
        let escaping = false;
        let re = '';
        let uflag = false;
        // multiple stars that aren't globstars coalesce into one *
        let inStar = false;
        for (let i = 0; i < glob.length; i++) {
            const c = glob.charAt(i);
            if (escaping) {
                escaping = false;
                re += (reSpecials.has(c) ? '\\' : '') + c;
                continue;
            }
            if (c === '*') {
                if (inStar)
                    continue;
                inStar = true;
                re += noEmpty && /^[*]+$/.test(glob) ? starNoEmpty : star;
                hasMagic = true;
                continue;
            }
            else {
                inStar = false;
            }
            if (c === '\\') {
                if (i === glob.length - 1) {
                    re += '\\\\';
                }
                else {
                    escaping = true;
                }
                continue;
            }
            if (c === '[') {
                const [src, needUflag, consumed, magic] = parseClass(glob, i);
                if (consumed) {
                    re += src;
                    uflag = uflag || needUflag;
                    i += consumed - 1;
                    hasMagic = hasMagic || magic;
                    continue;
                }
            }
            if (c === '?') {
                re += qmark;
                hasMagic = true;
                continue;
            }
            re += regExpEscape(c);
        }
        return [re, unescape_unescape(glob), !!hasMagic, uflag];
    }
}
_a = AST;
//# sourceMappingURL=ast.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/escape.js
/**
 * Escape all magic characters in a glob pattern.
 *
 * If the {@link MinimatchOptions.windowsPathsNoEscape}
 * option is used, then characters are escaped by wrapping in `[]`, because
 * a magic character wrapped in a character class can only be satisfied by
 * that exact character.  In this mode, `\` is _not_ escaped, because it is
 * not interpreted as a magic character, but instead as a path separator.
 *
 * If the {@link MinimatchOptions.magicalBraces} option is used,
 * then braces (`{` and `}`) will be escaped.
 */
const escape_escape = (s, { windowsPathsNoEscape = false, magicalBraces = false, } = {}) => {
    // don't need to escape +@! because we escape the parens
    // that make those magic, and escaping ! as [!] isn't valid,
    // because [!]] is a valid glob class meaning not ']'.
    if (magicalBraces) {
        return windowsPathsNoEscape ?
            s.replace(/[?*()[\]{}]/g, '[$&]')
            : s.replace(/[?*()[\]\\{}]/g, '\\$&');
    }
    return windowsPathsNoEscape ?
        s.replace(/[?*()[\]]/g, '[$&]')
        : s.replace(/[?*()[\]\\]/g, '\\$&');
};
//# sourceMappingURL=escape.js.map
;// CONCATENATED MODULE: ./node_modules/minimatch/dist/esm/index.js





const minimatch = (p, pattern, options = {}) => {
    assertValidPattern(pattern);
    // shortcut: comments match nothing.
    if (!options.nocomment && pattern.charAt(0) === '#') {
        return false;
    }
    return new Minimatch(pattern, options).match(p);
};
// Optimized checking for the most common glob patterns.
const starDotExtRE = /^\*+([^+@!?*[(]*)$/;
const starDotExtTest = (ext) => (f) => !f.startsWith('.') && f.endsWith(ext);
const starDotExtTestDot = (ext) => (f) => f.endsWith(ext);
const starDotExtTestNocase = (ext) => {
    ext = ext.toLowerCase();
    return (f) => !f.startsWith('.') && f.toLowerCase().endsWith(ext);
};
const starDotExtTestNocaseDot = (ext) => {
    ext = ext.toLowerCase();
    return (f) => f.toLowerCase().endsWith(ext);
};
const starDotStarRE = /^\*+\.\*+$/;
const starDotStarTest = (f) => !f.startsWith('.') && f.includes('.');
const starDotStarTestDot = (f) => f !== '.' && f !== '..' && f.includes('.');
const dotStarRE = /^\.\*+$/;
const dotStarTest = (f) => f !== '.' && f !== '..' && f.startsWith('.');
const starRE = /^\*+$/;
const starTest = (f) => f.length !== 0 && !f.startsWith('.');
const starTestDot = (f) => f.length !== 0 && f !== '.' && f !== '..';
const qmarksRE = /^\?+([^+@!?*[(]*)?$/;
const qmarksTestNocase = ([$0, ext = '']) => {
    const noext = qmarksTestNoExt([$0]);
    if (!ext)
        return noext;
    ext = ext.toLowerCase();
    return (f) => noext(f) && f.toLowerCase().endsWith(ext);
};
const qmarksTestNocaseDot = ([$0, ext = '']) => {
    const noext = qmarksTestNoExtDot([$0]);
    if (!ext)
        return noext;
    ext = ext.toLowerCase();
    return (f) => noext(f) && f.toLowerCase().endsWith(ext);
};
const qmarksTestDot = ([$0, ext = '']) => {
    const noext = qmarksTestNoExtDot([$0]);
    return !ext ? noext : (f) => noext(f) && f.endsWith(ext);
};
const qmarksTest = ([$0, ext = '']) => {
    const noext = qmarksTestNoExt([$0]);
    return !ext ? noext : (f) => noext(f) && f.endsWith(ext);
};
const qmarksTestNoExt = ([$0]) => {
    const len = $0.length;
    return (f) => f.length === len && !f.startsWith('.');
};
const qmarksTestNoExtDot = ([$0]) => {
    const len = $0.length;
    return (f) => f.length === len && f !== '.' && f !== '..';
};
/* c8 ignore start */
const defaultPlatform = (typeof process === 'object' && process ?
    (typeof process.env === 'object' &&
        process.env &&
        process.env.__MINIMATCH_TESTING_PLATFORM__) ||
        process.platform
    : 'posix');
const esm_path = {
    win32: { sep: '\\' },
    posix: { sep: '/' },
};
/* c8 ignore stop */
const sep = defaultPlatform === 'win32' ? esm_path.win32.sep : esm_path.posix.sep;
minimatch.sep = sep;
const GLOBSTAR = Symbol('globstar **');
minimatch.GLOBSTAR = GLOBSTAR;
// any single thing other than /
// don't need to escape / when using new RegExp()
const esm_qmark = '[^/]';
// * => any number of characters
const esm_star = esm_qmark + '*?';
// ** when dots are allowed.  Anything goes, except .. and .
// not (^ or / followed by one or two dots followed by $ or /),
// followed by anything, any number of times.
const twoStarDot = '(?:(?!(?:\\/|^)(?:\\.{1,2})($|\\/)).)*?';
// not a ^ or / followed by a dot,
// followed by anything, any number of times.
const twoStarNoDot = '(?:(?!(?:\\/|^)\\.).)*?';
const filter = (pattern, options = {}) => (p) => minimatch(p, pattern, options);
minimatch.filter = filter;
const ext = (a, b = {}) => Object.assign({}, a, b);
const defaults = (def) => {
    if (!def || typeof def !== 'object' || !Object.keys(def).length) {
        return minimatch;
    }
    const orig = minimatch;
    const m = (p, pattern, options = {}) => orig(p, pattern, ext(def, options));
    return Object.assign(m, {
        Minimatch: class Minimatch extends orig.Minimatch {
            constructor(pattern, options = {}) {
                super(pattern, ext(def, options));
            }
            static defaults(options) {
                return orig.defaults(ext(def, options)).Minimatch;
            }
        },
        AST: class AST extends orig.AST {
            /* c8 ignore start */
            constructor(type, parent, options = {}) {
                super(type, parent, ext(def, options));
            }
            /* c8 ignore stop */
            static fromGlob(pattern, options = {}) {
                return orig.AST.fromGlob(pattern, ext(def, options));
            }
        },
        unescape: (s, options = {}) => orig.unescape(s, ext(def, options)),
        escape: (s, options = {}) => orig.escape(s, ext(def, options)),
        filter: (pattern, options = {}) => orig.filter(pattern, ext(def, options)),
        defaults: (options) => orig.defaults(ext(def, options)),
        makeRe: (pattern, options = {}) => orig.makeRe(pattern, ext(def, options)),
        braceExpand: (pattern, options = {}) => orig.braceExpand(pattern, ext(def, options)),
        match: (list, pattern, options = {}) => orig.match(list, pattern, ext(def, options)),
        sep: orig.sep,
        GLOBSTAR: GLOBSTAR,
    });
};
minimatch.defaults = defaults;
// Brace expansion:
// a{b,c}d -> abd acd
// a{b,}c -> abc ac
// a{0..3}d -> a0d a1d a2d a3d
// a{b,c{d,e}f}g -> abg acdfg acefg
// a{b,c}d{e,f}g -> abdeg acdeg abdeg abdfg
//
// Invalid sets are not expanded.
// a{2..}b -> a{2..}b
// a{b}c -> a{b}c
const braceExpand = (pattern, options = {}) => {
    assertValidPattern(pattern);
    // Thanks to Yeting Li <https://github.com/yetingli> for
    // improving this regexp to avoid a ReDOS vulnerability.
    if (options.nobrace || !/\{(?:(?!\{).)*\}/.test(pattern)) {
        // shortcut. no need to expand.
        return [pattern];
    }
    return expand(pattern, { max: options.braceExpandMax });
};
minimatch.braceExpand = braceExpand;
// parse a component of the expanded set.
// At this point, no pattern may contain "/" in it
// so we're going to return a 2d array, where each entry is the full
// pattern, split on '/', and then turned into a regular expression.
// A regexp is made at the end which joins each array with an
// escaped /, and another full one which joins each regexp with |.
//
// Following the lead of Bash 4.1, note that "**" only has special meaning
// when it is the *only* thing in a path portion.  Otherwise, any series
// of * is equivalent to a single *.  Globstar behavior is enabled by
// default, and can be disabled by setting options.noglobstar.
const makeRe = (pattern, options = {}) => new Minimatch(pattern, options).makeRe();
minimatch.makeRe = makeRe;
const match = (list, pattern, options = {}) => {
    const mm = new Minimatch(pattern, options);
    list = list.filter(f => mm.match(f));
    if (mm.options.nonull && !list.length) {
        list.push(pattern);
    }
    return list;
};
minimatch.match = match;
// replace stuff like \* with *
const globMagic = /[?*]|[+@!]\(.*?\)|\[|\]/;
const esm_regExpEscape = (s) => s.replace(/[-[\]{}()*+?.,\\^$|#\s]/g, '\\$&');
class Minimatch {
    options;
    set;
    pattern;
    windowsPathsNoEscape;
    nonegate;
    negate;
    comment;
    empty;
    preserveMultipleSlashes;
    partial;
    globSet;
    globParts;
    nocase;
    isWindows;
    platform;
    windowsNoMagicRoot;
    maxGlobstarRecursion;
    regexp;
    constructor(pattern, options = {}) {
        assertValidPattern(pattern);
        options = options || {};
        this.options = options;
        this.maxGlobstarRecursion = options.maxGlobstarRecursion ?? 200;
        this.pattern = pattern;
        this.platform = options.platform || defaultPlatform;
        this.isWindows = this.platform === 'win32';
        // avoid the annoying deprecation flag lol
        const awe = ('allowWindow' + 'sEscape');
        this.windowsPathsNoEscape =
            !!options.windowsPathsNoEscape || options[awe] === false;
        if (this.windowsPathsNoEscape) {
            this.pattern = this.pattern.replace(/\\/g, '/');
        }
        this.preserveMultipleSlashes = !!options.preserveMultipleSlashes;
        this.regexp = null;
        this.negate = false;
        this.nonegate = !!options.nonegate;
        this.comment = false;
        this.empty = false;
        this.partial = !!options.partial;
        this.nocase = !!this.options.nocase;
        this.windowsNoMagicRoot =
            options.windowsNoMagicRoot !== undefined ?
                options.windowsNoMagicRoot
                : !!(this.isWindows && this.nocase);
        this.globSet = [];
        this.globParts = [];
        this.set = [];
        // make the set of regexps etc.
        this.make();
    }
    hasMagic() {
        if (this.options.magicalBraces && this.set.length > 1) {
            return true;
        }
        for (const pattern of this.set) {
            for (const part of pattern) {
                if (typeof part !== 'string')
                    return true;
            }
        }
        return false;
    }
    debug(..._) { }
    make() {
        const pattern = this.pattern;
        const options = this.options;
        // empty patterns and comments match nothing.
        if (!options.nocomment && pattern.charAt(0) === '#') {
            this.comment = true;
            return;
        }
        if (!pattern) {
            this.empty = true;
            return;
        }
        // step 1: figure out negation, etc.
        this.parseNegate();
        // step 2: expand braces
        this.globSet = [...new Set(this.braceExpand())];
        if (options.debug) {
            //oxlint-disable-next-line no-console
            this.debug = (...args) => console.error(...args);
        }
        this.debug(this.pattern, this.globSet);
        // step 3: now we have a set, so turn each one into a series of
        // path-portion matching patterns.
        // These will be regexps, except in the case of "**", which is
        // set to the GLOBSTAR object for globstar behavior,
        // and will not contain any / characters
        //
        // First, we preprocess to make the glob pattern sets a bit simpler
        // and deduped.  There are some perf-killing patterns that can cause
        // problems with a glob walk, but we can simplify them down a bit.
        const rawGlobParts = this.globSet.map(s => this.slashSplit(s));
        this.globParts = this.preprocess(rawGlobParts);
        this.debug(this.pattern, this.globParts);
        // glob --> regexps
        let set = this.globParts.map((s, _, __) => {
            if (this.isWindows && this.windowsNoMagicRoot) {
                // check if it's a drive or unc path.
                const isUNC = s[0] === '' &&
                    s[1] === '' &&
                    (s[2] === '?' || !globMagic.test(s[2])) &&
                    !globMagic.test(s[3]);
                const isDrive = /^[a-z]:/i.test(s[0]);
                if (isUNC) {
                    return [
                        ...s.slice(0, 4),
                        ...s.slice(4).map(ss => this.parse(ss)),
                    ];
                }
                else if (isDrive) {
                    return [s[0], ...s.slice(1).map(ss => this.parse(ss))];
                }
            }
            return s.map(ss => this.parse(ss));
        });
        this.debug(this.pattern, set);
        // filter out everything that didn't compile properly.
        this.set = set.filter(s => s.indexOf(false) === -1);
        // do not treat the ? in UNC paths as magic
        if (this.isWindows) {
            for (let i = 0; i < this.set.length; i++) {
                const p = this.set[i];
                if (p[0] === '' &&
                    p[1] === '' &&
                    this.globParts[i][2] === '?' &&
                    typeof p[3] === 'string' &&
                    /^[a-z]:$/i.test(p[3])) {
                    p[2] = '?';
                }
            }
        }
        this.debug(this.pattern, this.set);
    }
    // various transforms to equivalent pattern sets that are
    // faster to process in a filesystem walk.  The goal is to
    // eliminate what we can, and push all ** patterns as far
    // to the right as possible, even if it increases the number
    // of patterns that we have to process.
    preprocess(globParts) {
        // if we're not in globstar mode, then turn ** into *
        if (this.options.noglobstar) {
            for (const partset of globParts) {
                for (let j = 0; j < partset.length; j++) {
                    if (partset[j] === '**') {
                        partset[j] = '*';
                    }
                }
            }
        }
        const { optimizationLevel = 1 } = this.options;
        if (optimizationLevel >= 2) {
            // aggressive optimization for the purpose of fs walking
            globParts = this.firstPhasePreProcess(globParts);
            globParts = this.secondPhasePreProcess(globParts);
        }
        else if (optimizationLevel >= 1) {
            // just basic optimizations to remove some .. parts
            globParts = this.levelOneOptimize(globParts);
        }
        else {
            // just collapse multiple ** portions into one
            globParts = this.adjascentGlobstarOptimize(globParts);
        }
        return globParts;
    }
    // just get rid of adjascent ** portions
    adjascentGlobstarOptimize(globParts) {
        return globParts.map(parts => {
            let gs = -1;
            while (-1 !== (gs = parts.indexOf('**', gs + 1))) {
                let i = gs;
                while (parts[i + 1] === '**') {
                    i++;
                }
                if (i !== gs) {
                    parts.splice(gs, i - gs);
                }
            }
            return parts;
        });
    }
    // get rid of adjascent ** and resolve .. portions
    levelOneOptimize(globParts) {
        return globParts.map(parts => {
            parts = parts.reduce((set, part) => {
                const prev = set[set.length - 1];
                if (part === '**' && prev === '**') {
                    return set;
                }
                if (part === '..') {
                    if (prev && prev !== '..' && prev !== '.' && prev !== '**') {
                        set.pop();
                        return set;
                    }
                }
                set.push(part);
                return set;
            }, []);
            return parts.length === 0 ? [''] : parts;
        });
    }
    levelTwoFileOptimize(parts) {
        if (!Array.isArray(parts)) {
            parts = this.slashSplit(parts);
        }
        let didSomething = false;
        do {
            didSomething = false;
            // <pre>/<e>/<rest> -> <pre>/<rest>
            if (!this.preserveMultipleSlashes) {
                for (let i = 1; i < parts.length - 1; i++) {
                    const p = parts[i];
                    // don't squeeze out UNC patterns
                    if (i === 1 && p === '' && parts[0] === '')
                        continue;
                    if (p === '.' || p === '') {
                        didSomething = true;
                        parts.splice(i, 1);
                        i--;
                    }
                }
                if (parts[0] === '.' &&
                    parts.length === 2 &&
                    (parts[1] === '.' || parts[1] === '')) {
                    didSomething = true;
                    parts.pop();
                }
            }
            // <pre>/<p>/../<rest> -> <pre>/<rest>
            let dd = 0;
            while (-1 !== (dd = parts.indexOf('..', dd + 1))) {
                const p = parts[dd - 1];
                if (p &&
                    p !== '.' &&
                    p !== '..' &&
                    p !== '**' &&
                    !(this.isWindows && /^[a-z]:$/i.test(p))) {
                    didSomething = true;
                    parts.splice(dd - 1, 2);
                    dd -= 2;
                }
            }
        } while (didSomething);
        return parts.length === 0 ? [''] : parts;
    }
    // First phase: single-pattern processing
    // <pre> is 1 or more portions
    // <rest> is 1 or more portions
    // <p> is any portion other than ., .., '', or **
    // <e> is . or ''
    //
    // **/.. is *brutal* for filesystem walking performance, because
    // it effectively resets the recursive walk each time it occurs,
    // and ** cannot be reduced out by a .. pattern part like a regexp
    // or most strings (other than .., ., and '') can be.
    //
    // <pre>/**/../<p>/<p>/<rest> -> {<pre>/../<p>/<p>/<rest>,<pre>/**/<p>/<p>/<rest>}
    // <pre>/<e>/<rest> -> <pre>/<rest>
    // <pre>/<p>/../<rest> -> <pre>/<rest>
    // **/**/<rest> -> **/<rest>
    //
    // **/*/<rest> -> */**/<rest> <== not valid because ** doesn't follow
    // this WOULD be allowed if ** did follow symlinks, or * didn't
    firstPhasePreProcess(globParts) {
        let didSomething = false;
        do {
            didSomething = false;
            // <pre>/**/../<p>/<p>/<rest> -> {<pre>/../<p>/<p>/<rest>,<pre>/**/<p>/<p>/<rest>}
            for (let parts of globParts) {
                let gs = -1;
                while (-1 !== (gs = parts.indexOf('**', gs + 1))) {
                    let gss = gs;
                    while (parts[gss + 1] === '**') {
                        // <pre>/**/**/<rest> -> <pre>/**/<rest>
                        gss++;
                    }
                    // eg, if gs is 2 and gss is 4, that means we have 3 **
                    // parts, and can remove 2 of them.
                    if (gss > gs) {
                        parts.splice(gs + 1, gss - gs);
                    }
                    let next = parts[gs + 1];
                    const p = parts[gs + 2];
                    const p2 = parts[gs + 3];
                    if (next !== '..')
                        continue;
                    if (!p ||
                        p === '.' ||
                        p === '..' ||
                        !p2 ||
                        p2 === '.' ||
                        p2 === '..') {
                        continue;
                    }
                    didSomething = true;
                    // edit parts in place, and push the new one
                    parts.splice(gs, 1);
                    const other = parts.slice(0);
                    other[gs] = '**';
                    globParts.push(other);
                    gs--;
                }
                // <pre>/<e>/<rest> -> <pre>/<rest>
                if (!this.preserveMultipleSlashes) {
                    for (let i = 1; i < parts.length - 1; i++) {
                        const p = parts[i];
                        // don't squeeze out UNC patterns
                        if (i === 1 && p === '' && parts[0] === '')
                            continue;
                        if (p === '.' || p === '') {
                            didSomething = true;
                            parts.splice(i, 1);
                            i--;
                        }
                    }
                    if (parts[0] === '.' &&
                        parts.length === 2 &&
                        (parts[1] === '.' || parts[1] === '')) {
                        didSomething = true;
                        parts.pop();
                    }
                }
                // <pre>/<p>/../<rest> -> <pre>/<rest>
                let dd = 0;
                while (-1 !== (dd = parts.indexOf('..', dd + 1))) {
                    const p = parts[dd - 1];
                    if (p && p !== '.' && p !== '..' && p !== '**') {
                        didSomething = true;
                        const needDot = dd === 1 && parts[dd + 1] === '**';
                        const splin = needDot ? ['.'] : [];
                        parts.splice(dd - 1, 2, ...splin);
                        if (parts.length === 0)
                            parts.push('');
                        dd -= 2;
                    }
                }
            }
        } while (didSomething);
        return globParts;
    }
    // second phase: multi-pattern dedupes
    // {<pre>/*/<rest>,<pre>/<p>/<rest>} -> <pre>/*/<rest>
    // {<pre>/<rest>,<pre>/<rest>} -> <pre>/<rest>
    // {<pre>/**/<rest>,<pre>/<rest>} -> <pre>/**/<rest>
    //
    // {<pre>/**/<rest>,<pre>/**/<p>/<rest>} -> <pre>/**/<rest>
    // ^-- not valid because ** doens't follow symlinks
    secondPhasePreProcess(globParts) {
        for (let i = 0; i < globParts.length - 1; i++) {
            for (let j = i + 1; j < globParts.length; j++) {
                const matched = this.partsMatch(globParts[i], globParts[j], !this.preserveMultipleSlashes);
                if (matched) {
                    globParts[i] = [];
                    globParts[j] = matched;
                    break;
                }
            }
        }
        return globParts.filter(gs => gs.length);
    }
    partsMatch(a, b, emptyGSMatch = false) {
        let ai = 0;
        let bi = 0;
        let result = [];
        let which = '';
        while (ai < a.length && bi < b.length) {
            if (a[ai] === b[bi]) {
                result.push(which === 'b' ? b[bi] : a[ai]);
                ai++;
                bi++;
            }
            else if (emptyGSMatch && a[ai] === '**' && b[bi] === a[ai + 1]) {
                result.push(a[ai]);
                ai++;
            }
            else if (emptyGSMatch && b[bi] === '**' && a[ai] === b[bi + 1]) {
                result.push(b[bi]);
                bi++;
            }
            else if (a[ai] === '*' &&
                b[bi] &&
                (this.options.dot || !b[bi].startsWith('.')) &&
                b[bi] !== '**') {
                if (which === 'b')
                    return false;
                which = 'a';
                result.push(a[ai]);
                ai++;
                bi++;
            }
            else if (b[bi] === '*' &&
                a[ai] &&
                (this.options.dot || !a[ai].startsWith('.')) &&
                a[ai] !== '**') {
                if (which === 'a')
                    return false;
                which = 'b';
                result.push(b[bi]);
                ai++;
                bi++;
            }
            else {
                return false;
            }
        }
        // if we fall out of the loop, it means they two are identical
        // as long as their lengths match
        return a.length === b.length && result;
    }
    parseNegate() {
        if (this.nonegate)
            return;
        const pattern = this.pattern;
        let negate = false;
        let negateOffset = 0;
        for (let i = 0; i < pattern.length && pattern.charAt(i) === '!'; i++) {
            negate = !negate;
            negateOffset++;
        }
        if (negateOffset)
            this.pattern = pattern.slice(negateOffset);
        this.negate = negate;
    }
    // set partial to true to test if, for example,
    // "/a/b" matches the start of "/*/b/*/d"
    // Partial means, if you run out of file before you run
    // out of pattern, then that's fine, as long as all
    // the parts match.
    matchOne(file, pattern, partial = false) {
        let fileStartIndex = 0;
        let patternStartIndex = 0;
        // UNC paths like //?/X:/... can match X:/... and vice versa
        // Drive letters in absolute drive or unc paths are always compared
        // case-insensitively.
        if (this.isWindows) {
            const fileDrive = typeof file[0] === 'string' && /^[a-z]:$/i.test(file[0]);
            const fileUNC = !fileDrive &&
                file[0] === '' &&
                file[1] === '' &&
                file[2] === '?' &&
                /^[a-z]:$/i.test(file[3]);
            const patternDrive = typeof pattern[0] === 'string' && /^[a-z]:$/i.test(pattern[0]);
            const patternUNC = !patternDrive &&
                pattern[0] === '' &&
                pattern[1] === '' &&
                pattern[2] === '?' &&
                typeof pattern[3] === 'string' &&
                /^[a-z]:$/i.test(pattern[3]);
            const fdi = fileUNC ? 3
                : fileDrive ? 0
                    : undefined;
            const pdi = patternUNC ? 3
                : patternDrive ? 0
                    : undefined;
            if (typeof fdi === 'number' && typeof pdi === 'number') {
                const [fd, pd] = [
                    file[fdi],
                    pattern[pdi],
                ];
                // start matching at the drive letter index of each
                if (fd.toLowerCase() === pd.toLowerCase()) {
                    pattern[pdi] = fd;
                    patternStartIndex = pdi;
                    fileStartIndex = fdi;
                }
            }
        }
        // resolve and reduce . and .. portions in the file as well.
        // don't need to do the second phase, because it's only one string[]
        const { optimizationLevel = 1 } = this.options;
        if (optimizationLevel >= 2) {
            file = this.levelTwoFileOptimize(file);
        }
        if (pattern.includes(GLOBSTAR)) {
            return this.#matchGlobstar(file, pattern, partial, fileStartIndex, patternStartIndex);
        }
        return this.#matchOne(file, pattern, partial, fileStartIndex, patternStartIndex);
    }
    #matchGlobstar(file, pattern, partial, fileIndex, patternIndex) {
        // split the pattern into head, tail, and middle of ** delimited parts
        const firstgs = pattern.indexOf(GLOBSTAR, patternIndex);
        const lastgs = pattern.lastIndexOf(GLOBSTAR);
        // split the pattern up into globstar-delimited sections
        // the tail has to be at the end, and the others just have
        // to be found in order from the head.
        const [head, body, tail] = partial ?
            [
                pattern.slice(patternIndex, firstgs),
                pattern.slice(firstgs + 1),
                [],
            ]
            : [
                pattern.slice(patternIndex, firstgs),
                pattern.slice(firstgs + 1, lastgs),
                pattern.slice(lastgs + 1),
            ];
        // check the head, from the current file/pattern index.
        if (head.length) {
            const fileHead = file.slice(fileIndex, fileIndex + head.length);
            if (!this.#matchOne(fileHead, head, partial, 0, 0)) {
                return false;
            }
            fileIndex += head.length;
            patternIndex += head.length;
        }
        // now we know the head matches!
        // if the last portion is not empty, it MUST match the end
        // check the tail
        let fileTailMatch = 0;
        if (tail.length) {
            // if head + tail > file, then we cannot possibly match
            if (tail.length + fileIndex > file.length)
                return false;
            // try to match the tail
            let tailStart = file.length - tail.length;
            if (this.#matchOne(file, tail, partial, tailStart, 0)) {
                fileTailMatch = tail.length;
            }
            else {
                // affordance for stuff like a/**/* matching a/b/
                // if the last file portion is '', and there's more to the pattern
                // then try without the '' bit.
                if (file[file.length - 1] !== '' ||
                    fileIndex + tail.length === file.length) {
                    return false;
                }
                tailStart--;
                if (!this.#matchOne(file, tail, partial, tailStart, 0)) {
                    return false;
                }
                fileTailMatch = tail.length + 1;
            }
        }
        // now we know the tail matches!
        // the middle is zero or more portions wrapped in **, possibly
        // containing more ** sections.
        // so a/**/b/**/c/**/d has become **/b/**/c/**
        // if it's empty, it means a/**/b, just verify we have no bad dots
        // if there's no tail, so it ends on /**, then we must have *something*
        // after the head, or it's not a matc
        if (!body.length) {
            let sawSome = !!fileTailMatch;
            for (let i = fileIndex; i < file.length - fileTailMatch; i++) {
                const f = String(file[i]);
                sawSome = true;
                if (f === '.' ||
                    f === '..' ||
                    (!this.options.dot && f.startsWith('.'))) {
                    return false;
                }
            }
            // in partial mode, we just need to get past all file parts
            return partial || sawSome;
        }
        // now we know that there's one or more body sections, which can
        // be matched anywhere from the 0 index (because the head was pruned)
        // through to the length-fileTailMatch index.
        // split the body up into sections, and note the minimum index it can
        // be found at (start with the length of all previous segments)
        // [section, before, after]
        const bodySegments = [[[], 0]];
        let currentBody = bodySegments[0];
        let nonGsParts = 0;
        const nonGsPartsSums = [0];
        for (const b of body) {
            if (b === GLOBSTAR) {
                nonGsPartsSums.push(nonGsParts);
                currentBody = [[], 0];
                bodySegments.push(currentBody);
            }
            else {
                currentBody[0].push(b);
                nonGsParts++;
            }
        }
        let i = bodySegments.length - 1;
        const fileLength = file.length - fileTailMatch;
        for (const b of bodySegments) {
            b[1] = fileLength - (nonGsPartsSums[i--] + b[0].length);
        }
        return !!this.#matchGlobStarBodySections(file, bodySegments, fileIndex, 0, partial, 0, !!fileTailMatch);
    }
    // return false for "nope, not matching"
    // return null for "not matching, cannot keep trying"
    #matchGlobStarBodySections(file, 
    // pattern section, last possible position for it
    bodySegments, fileIndex, bodyIndex, partial, globStarDepth, sawTail) {
        // take the first body segment, and walk from fileIndex to its "after"
        // value at the end
        // If it doesn't match at that position, we increment, until we hit
        // that final possible position, and give up.
        // If it does match, then advance and try to rest.
        // If any of them fail we keep walking forward.
        // this is still a bit recursively painful, but it's more constrained
        // than previous implementations, because we never test something that
        // can't possibly be a valid matching condition.
        const bs = bodySegments[bodyIndex];
        if (!bs) {
            // just make sure that there's no bad dots
            for (let i = fileIndex; i < file.length; i++) {
                sawTail = true;
                const f = file[i];
                if (f === '.' ||
                    f === '..' ||
                    (!this.options.dot && f.startsWith('.'))) {
                    return false;
                }
            }
            return sawTail;
        }
        // have a non-globstar body section to test
        const [body, after] = bs;
        while (fileIndex <= after) {
            const m = this.#matchOne(file.slice(0, fileIndex + body.length), body, partial, fileIndex, 0);
            // if limit exceeded, no match. intentional false negative,
            // acceptable break in correctness for security.
            if (m && globStarDepth < this.maxGlobstarRecursion) {
                // match! see if the rest match. if so, we're done!
                const sub = this.#matchGlobStarBodySections(file, bodySegments, fileIndex + body.length, bodyIndex + 1, partial, globStarDepth + 1, sawTail);
                if (sub !== false) {
                    return sub;
                }
            }
            const f = file[fileIndex];
            if (f === '.' ||
                f === '..' ||
                (!this.options.dot && f.startsWith('.'))) {
                return false;
            }
            fileIndex++;
        }
        // walked off. no point continuing
        return partial || null;
    }
    #matchOne(file, pattern, partial, fileIndex, patternIndex) {
        let fi;
        let pi;
        let pl;
        let fl;
        for (fi = fileIndex,
            pi = patternIndex,
            fl = file.length,
            pl = pattern.length; fi < fl && pi < pl; fi++, pi++) {
            this.debug('matchOne loop');
            let p = pattern[pi];
            let f = file[fi];
            this.debug(pattern, p, f);
            // should be impossible.
            // some invalid regexp stuff in the set.
            /* c8 ignore start */
            if (p === false || p === GLOBSTAR) {
                return false;
            }
            /* c8 ignore stop */
            // something other than **
            // non-magic patterns just have to match exactly
            // patterns with magic have been turned into regexps.
            let hit;
            if (typeof p === 'string') {
                hit = f === p;
                this.debug('string match', p, f, hit);
            }
            else {
                hit = p.test(f);
                this.debug('pattern match', p, f, hit);
            }
            if (!hit)
                return false;
        }
        // Note: ending in / means that we'll get a final ""
        // at the end of the pattern.  This can only match a
        // corresponding "" at the end of the file.
        // If the file ends in /, then it can only match a
        // a pattern that ends in /, unless the pattern just
        // doesn't have any more for it. But, a/b/ should *not*
        // match "a/b/*", even though "" matches against the
        // [^/]*? pattern, except in partial mode, where it might
        // simply not be reached yet.
        // However, a/b/ should still satisfy a/*
        // now either we fell off the end of the pattern, or we're done.
        if (fi === fl && pi === pl) {
            // ran out of pattern and filename at the same time.
            // an exact hit!
            return true;
        }
        else if (fi === fl) {
            // ran out of file, but still had pattern left.
            // this is ok if we're doing the match as part of
            // a glob fs traversal.
            return partial;
        }
        else if (pi === pl) {
            // ran out of pattern, still have file left.
            // this is only acceptable if we're on the very last
            // empty segment of a file with a trailing slash.
            // a/* should match a/b/
            return fi === fl - 1 && file[fi] === '';
            /* c8 ignore start */
        }
        else {
            // should be unreachable.
            throw new Error('wtf?');
        }
        /* c8 ignore stop */
    }
    braceExpand() {
        return braceExpand(this.pattern, this.options);
    }
    parse(pattern) {
        assertValidPattern(pattern);
        const options = this.options;
        // shortcuts
        if (pattern === '**')
            return GLOBSTAR;
        if (pattern === '')
            return '';
        // far and away, the most common glob pattern parts are
        // *, *.*, and *.<ext>  Add a fast check method for those.
        let m;
        let fastTest = null;
        if ((m = pattern.match(starRE))) {
            fastTest = options.dot ? starTestDot : starTest;
        }
        else if ((m = pattern.match(starDotExtRE))) {
            fastTest = (options.nocase ?
                options.dot ?
                    starDotExtTestNocaseDot
                    : starDotExtTestNocase
                : options.dot ? starDotExtTestDot
                    : starDotExtTest)(m[1]);
        }
        else if ((m = pattern.match(qmarksRE))) {
            fastTest = (options.nocase ?
                options.dot ?
                    qmarksTestNocaseDot
                    : qmarksTestNocase
                : options.dot ? qmarksTestDot
                    : qmarksTest)(m);
        }
        else if ((m = pattern.match(starDotStarRE))) {
            fastTest = options.dot ? starDotStarTestDot : starDotStarTest;
        }
        else if ((m = pattern.match(dotStarRE))) {
            fastTest = dotStarTest;
        }
        const re = AST.fromGlob(pattern, this.options).toMMPattern();
        if (fastTest && typeof re === 'object') {
            // Avoids overriding in frozen environments
            Reflect.defineProperty(re, 'test', { value: fastTest });
        }
        return re;
    }
    makeRe() {
        if (this.regexp || this.regexp === false)
            return this.regexp;
        // at this point, this.set is a 2d array of partial
        // pattern strings, or "**".
        //
        // It's better to use .match().  This function shouldn't
        // be used, really, but it's pretty convenient sometimes,
        // when you just want to work with a regex.
        const set = this.set;
        if (!set.length) {
            this.regexp = false;
            return this.regexp;
        }
        const options = this.options;
        const twoStar = options.noglobstar ? esm_star
            : options.dot ? twoStarDot
                : twoStarNoDot;
        const flags = new Set(options.nocase ? ['i'] : []);
        // regexpify non-globstar patterns
        // if ** is only item, then we just do one twoStar
        // if ** is first, and there are more, prepend (\/|twoStar\/)? to next
        // if ** is last, append (\/twoStar|) to previous
        // if ** is in the middle, append (\/|\/twoStar\/) to previous
        // then filter out GLOBSTAR symbols
        let re = set
            .map(pattern => {
            const pp = pattern.map(p => {
                if (p instanceof RegExp) {
                    for (const f of p.flags.split(''))
                        flags.add(f);
                }
                return (typeof p === 'string' ? esm_regExpEscape(p)
                    : p === GLOBSTAR ? GLOBSTAR
                        : p._src);
            });
            pp.forEach((p, i) => {
                const next = pp[i + 1];
                const prev = pp[i - 1];
                if (p !== GLOBSTAR || prev === GLOBSTAR) {
                    return;
                }
                if (prev === undefined) {
                    if (next !== undefined && next !== GLOBSTAR) {
                        pp[i + 1] = '(?:\\/|' + twoStar + '\\/)?' + next;
                    }
                    else {
                        pp[i] = twoStar;
                    }
                }
                else if (next === undefined) {
                    pp[i - 1] = prev + '(?:\\/|\\/' + twoStar + ')?';
                }
                else if (next !== GLOBSTAR) {
                    pp[i - 1] = prev + '(?:\\/|\\/' + twoStar + '\\/)' + next;
                    pp[i + 1] = GLOBSTAR;
                }
            });
            const filtered = pp.filter(p => p !== GLOBSTAR);
            // For partial matches, we need to make the pattern match
            // any prefix of the full path. We do this by generating
            // alternative patterns that match progressively longer prefixes.
            if (this.partial && filtered.length >= 1) {
                const prefixes = [];
                for (let i = 1; i <= filtered.length; i++) {
                    prefixes.push(filtered.slice(0, i).join('/'));
                }
                return '(?:' + prefixes.join('|') + ')';
            }
            return filtered.join('/');
        })
            .join('|');
        // need to wrap in parens if we had more than one thing with |,
        // otherwise only the first will be anchored to ^ and the last to $
        const [open, close] = set.length > 1 ? ['(?:', ')'] : ['', ''];
        // must match entire pattern
        // ending in a * or ** will make it less strict.
        re = '^' + open + re + close + '$';
        // In partial mode, '/' should always match as it's a valid prefix for any pattern
        if (this.partial) {
            re = '^(?:\\/|' + open + re.slice(1, -1) + close + ')$';
        }
        // can match anything, as long as it's not this.
        if (this.negate)
            re = '^(?!' + re + ').+$';
        try {
            this.regexp = new RegExp(re, [...flags].join(''));
            /* c8 ignore start */
        }
        catch {
            // should be impossible
            this.regexp = false;
        }
        /* c8 ignore stop */
        return this.regexp;
    }
    slashSplit(p) {
        // if p starts with // on windows, we preserve that
        // so that UNC paths aren't broken.  Otherwise, any number of
        // / characters are coalesced into one, unless
        // preserveMultipleSlashes is set to true.
        if (this.preserveMultipleSlashes) {
            return p.split('/');
        }
        else if (this.isWindows && /^\/\/[^/]+/.test(p)) {
            // add an extra '' for the one we lose
            return ['', ...p.split(/\/+/)];
        }
        else {
            return p.split(/\/+/);
        }
    }
    match(f, partial = this.partial) {
        this.debug('match', f, this.pattern);
        // short-circuit in the case of busted things.
        // comments, etc.
        if (this.comment) {
            return false;
        }
        if (this.empty) {
            return f === '';
        }
        if (f === '/' && partial) {
            return true;
        }
        const options = this.options;
        // windows: need to use /, not \
        if (this.isWindows) {
            f = f.split('\\').join('/');
        }
        // treat the test path as a set of pathparts.
        const ff = this.slashSplit(f);
        this.debug(this.pattern, 'split', ff);
        // just ONE of the pattern sets in this.set needs to match
        // in order for it to be valid.  If negating, then just one
        // match means that we have failed.
        // Either way, return on the first hit.
        const set = this.set;
        this.debug(this.pattern, 'set', set);
        // Find the basename of the path by looking for the last non-empty segment
        let filename = ff[ff.length - 1];
        if (!filename) {
            for (let i = ff.length - 2; !filename && i >= 0; i--) {
                filename = ff[i];
            }
        }
        for (const pattern of set) {
            let file = ff;
            if (options.matchBase && pattern.length === 1) {
                file = [filename];
            }
            const hit = this.matchOne(file, pattern, partial);
            if (hit) {
                if (options.flipNegate) {
                    return true;
                }
                return !this.negate;
            }
        }
        // didn't get any hits.  this is success if it's a negative
        // pattern, failure otherwise.
        if (options.flipNegate) {
            return false;
        }
        return this.negate;
    }
    static defaults(def) {
        return minimatch.defaults(def).Minimatch;
    }
}
/* c8 ignore start */



/* c8 ignore stop */
minimatch.AST = AST;
minimatch.Minimatch = Minimatch;
minimatch.escape = escape_escape;
minimatch.unescape = unescape_unescape;
//# sourceMappingURL=index.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/glob/lib/internal-path.js



const internal_path_IS_WINDOWS = process.platform === 'win32';
/**
 * Helper class for parsing paths into segments
 */
class Path {
    /**
     * Constructs a Path
     * @param itemPath Path or array of segments
     */
    constructor(itemPath) {
        this.segments = [];
        // String
        if (typeof itemPath === 'string') {
            external_assert_(itemPath, `Parameter 'itemPath' must not be empty`);
            // Normalize slashes and trim unnecessary trailing slash
            itemPath = safeTrimTrailingSeparator(itemPath);
            // Not rooted
            if (!hasRoot(itemPath)) {
                this.segments = itemPath.split(external_path_.sep);
            }
            // Rooted
            else {
                // Add all segments, while not at the root
                let remaining = itemPath;
                let dir = dirname(remaining);
                while (dir !== remaining) {
                    // Add the segment
                    const basename = external_path_.basename(remaining);
                    this.segments.unshift(basename);
                    // Truncate the last segment
                    remaining = dir;
                    dir = dirname(remaining);
                }
                // Remainder is the root
                this.segments.unshift(remaining);
            }
        }
        // Array
        else {
            // Must not be empty
            external_assert_(itemPath.length > 0, `Parameter 'itemPath' must not be an empty array`);
            // Each segment
            for (let i = 0; i < itemPath.length; i++) {
                let segment = itemPath[i];
                // Must not be empty
                external_assert_(segment, `Parameter 'itemPath' must not contain any empty segments`);
                // Normalize slashes
                segment = normalizeSeparators(itemPath[i]);
                // Root segment
                if (i === 0 && hasRoot(segment)) {
                    segment = safeTrimTrailingSeparator(segment);
                    external_assert_(segment === dirname(segment), `Parameter 'itemPath' root segment contains information for multiple segments`);
                    this.segments.push(segment);
                }
                // All other segments
                else {
                    // Must not contain slash
                    external_assert_(!segment.includes(external_path_.sep), `Parameter 'itemPath' contains unexpected path separators`);
                    this.segments.push(segment);
                }
            }
        }
    }
    /**
     * Converts the path to it's string representation
     */
    toString() {
        // First segment
        let result = this.segments[0];
        // All others
        let skipSlash = result.endsWith(external_path_.sep) || (internal_path_IS_WINDOWS && /^[A-Z]:$/i.test(result));
        for (let i = 1; i < this.segments.length; i++) {
            if (skipSlash) {
                skipSlash = false;
            }
            else {
                result += external_path_.sep;
            }
            result += this.segments[i];
        }
        return result;
    }
}
//# sourceMappingURL=internal-path.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/glob/lib/internal-pattern.js







const internal_pattern_IS_WINDOWS = process.platform === 'win32';
class Pattern {
    constructor(patternOrNegate, isImplicitPattern = false, segments, homedir) {
        /**
         * Indicates whether matches should be excluded from the result set
         */
        this.negate = false;
        // Pattern overload
        let pattern;
        if (typeof patternOrNegate === 'string') {
            pattern = patternOrNegate.trim();
        }
        // Segments overload
        else {
            // Convert to pattern
            segments = segments || [];
            external_assert_(segments.length, `Parameter 'segments' must not empty`);
            const root = Pattern.getLiteral(segments[0]);
            external_assert_(root && hasAbsoluteRoot(root), `Parameter 'segments' first element must be a root path`);
            pattern = new Path(segments).toString().trim();
            if (patternOrNegate) {
                pattern = `!${pattern}`;
            }
        }
        // Negate
        while (pattern.startsWith('!')) {
            this.negate = !this.negate;
            pattern = pattern.substr(1).trim();
        }
        // Normalize slashes and ensures absolute root
        pattern = Pattern.fixupPattern(pattern, homedir);
        // Segments
        this.segments = new Path(pattern).segments;
        // Trailing slash indicates the pattern should only match directories, not regular files
        this.trailingSeparator = normalizeSeparators(pattern)
            .endsWith(external_path_.sep);
        pattern = safeTrimTrailingSeparator(pattern);
        // Search path (literal path prior to the first glob segment)
        let foundGlob = false;
        const searchSegments = this.segments
            .map(x => Pattern.getLiteral(x))
            .filter(x => !foundGlob && !(foundGlob = x === ''));
        this.searchPath = new Path(searchSegments).toString();
        // Root RegExp (required when determining partial match)
        this.rootRegExp = new RegExp(Pattern.regExpEscape(searchSegments[0]), internal_pattern_IS_WINDOWS ? 'i' : '');
        this.isImplicitPattern = isImplicitPattern;
        // Create minimatch
        const minimatchOptions = {
            dot: true,
            nobrace: true,
            nocase: internal_pattern_IS_WINDOWS,
            nocomment: true,
            noext: true,
            nonegate: true
        };
        pattern = internal_pattern_IS_WINDOWS ? pattern.replace(/\\/g, '/') : pattern;
        this.minimatch = new Minimatch(pattern, minimatchOptions);
    }
    /**
     * Matches the pattern against the specified path
     */
    match(itemPath) {
        // Last segment is globstar?
        if (this.segments[this.segments.length - 1] === '**') {
            // Normalize slashes
            itemPath = normalizeSeparators(itemPath);
            // Append a trailing slash. Otherwise Minimatch will not match the directory immediately
            // preceding the globstar. For example, given the pattern `/foo/**`, Minimatch returns
            // false for `/foo` but returns true for `/foo/`. Append a trailing slash to handle that quirk.
            if (!itemPath.endsWith(external_path_.sep) && this.isImplicitPattern === false) {
                // Note, this is safe because the constructor ensures the pattern has an absolute root.
                // For example, formats like C: and C:foo on Windows are resolved to an absolute root.
                itemPath = `${itemPath}${external_path_.sep}`;
            }
        }
        else {
            // Normalize slashes and trim unnecessary trailing slash
            itemPath = safeTrimTrailingSeparator(itemPath);
        }
        // Match
        if (this.minimatch.match(itemPath)) {
            return this.trailingSeparator ? MatchKind.Directory : MatchKind.All;
        }
        return MatchKind.None;
    }
    /**
     * Indicates whether the pattern may match descendants of the specified path
     */
    partialMatch(itemPath) {
        // Normalize slashes and trim unnecessary trailing slash
        itemPath = safeTrimTrailingSeparator(itemPath);
        // matchOne does not handle root path correctly
        if (dirname(itemPath) === itemPath) {
            return this.rootRegExp.test(itemPath);
        }
        return this.minimatch.matchOne(itemPath.split(internal_pattern_IS_WINDOWS ? /\\+/ : /\/+/), this.minimatch.set[0], true);
    }
    /**
     * Escapes glob patterns within a path
     */
    static globEscape(s) {
        return (internal_pattern_IS_WINDOWS ? s : s.replace(/\\/g, '\\\\')) // escape '\' on Linux/macOS
            .replace(/(\[)(?=[^/]+\])/g, '[[]') // escape '[' when ']' follows within the path segment
            .replace(/\?/g, '[?]') // escape '?'
            .replace(/\*/g, '[*]'); // escape '*'
    }
    /**
     * Normalizes slashes and ensures absolute root
     */
    static fixupPattern(pattern, homedir) {
        // Empty
        external_assert_(pattern, 'pattern cannot be empty');
        // Must not contain `.` segment, unless first segment
        // Must not contain `..` segment
        const literalSegments = new Path(pattern).segments.map(x => Pattern.getLiteral(x));
        external_assert_(literalSegments.every((x, i) => (x !== '.' || i === 0) && x !== '..'), `Invalid pattern '${pattern}'. Relative pathing '.' and '..' is not allowed.`);
        // Must not contain globs in root, e.g. Windows UNC path \\foo\b*r
        external_assert_(!hasRoot(pattern) || literalSegments[0], `Invalid pattern '${pattern}'. Root segment must not contain globs.`);
        // Normalize slashes
        pattern = normalizeSeparators(pattern);
        // Replace leading `.` segment
        if (pattern === '.' || pattern.startsWith(`.${external_path_.sep}`)) {
            pattern = Pattern.globEscape(process.cwd()) + pattern.substr(1);
        }
        // Replace leading `~` segment
        else if (pattern === '~' || pattern.startsWith(`~${external_path_.sep}`)) {
            homedir = homedir || external_os_namespaceObject.homedir();
            external_assert_(homedir, 'Unable to determine HOME directory');
            external_assert_(hasAbsoluteRoot(homedir), `Expected HOME directory to be a rooted path. Actual '${homedir}'`);
            pattern = Pattern.globEscape(homedir) + pattern.substr(1);
        }
        // Replace relative drive root, e.g. pattern is C: or C:foo
        else if (internal_pattern_IS_WINDOWS &&
            (pattern.match(/^[A-Z]:$/i) || pattern.match(/^[A-Z]:[^\\]/i))) {
            let root = ensureAbsoluteRoot('C:\\dummy-root', pattern.substr(0, 2));
            if (pattern.length > 2 && !root.endsWith('\\')) {
                root += '\\';
            }
            pattern = Pattern.globEscape(root) + pattern.substr(2);
        }
        // Replace relative root, e.g. pattern is \ or \foo
        else if (internal_pattern_IS_WINDOWS && (pattern === '\\' || pattern.match(/^\\[^\\]/))) {
            let root = ensureAbsoluteRoot('C:\\dummy-root', '\\');
            if (!root.endsWith('\\')) {
                root += '\\';
            }
            pattern = Pattern.globEscape(root) + pattern.substr(1);
        }
        // Otherwise ensure absolute root
        else {
            pattern = ensureAbsoluteRoot(Pattern.globEscape(process.cwd()), pattern);
        }
        return normalizeSeparators(pattern);
    }
    /**
     * Attempts to unescape a pattern segment to create a literal path segment.
     * Otherwise returns empty string.
     */
    static getLiteral(segment) {
        let literal = '';
        for (let i = 0; i < segment.length; i++) {
            const c = segment[i];
            // Escape
            if (c === '\\' && !internal_pattern_IS_WINDOWS && i + 1 < segment.length) {
                literal += segment[++i];
                continue;
            }
            // Wildcard
            else if (c === '*' || c === '?') {
                return '';
            }
            // Character set
            else if (c === '[' && i + 1 < segment.length) {
                let set = '';
                let closed = -1;
                for (let i2 = i + 1; i2 < segment.length; i2++) {
                    const c2 = segment[i2];
                    // Escape
                    if (c2 === '\\' && !internal_pattern_IS_WINDOWS && i2 + 1 < segment.length) {
                        set += segment[++i2];
                        continue;
                    }
                    // Closed
                    else if (c2 === ']') {
                        closed = i2;
                        break;
                    }
                    // Otherwise
                    else {
                        set += c2;
                    }
                }
                // Closed?
                if (closed >= 0) {
                    // Cannot convert
                    if (set.length > 1) {
                        return '';
                    }
                    // Convert to literal
                    if (set) {
                        literal += set;
                        i = closed;
                        continue;
                    }
                }
                // Otherwise fall thru
            }
            // Append
            literal += c;
        }
        return literal;
    }
    /**
     * Escapes regexp special characters
     * https://javascript.info/regexp-escaping
     */
    static regExpEscape(s) {
        return s.replace(/[[\\^$.|?*+()]/g, '\\$&');
    }
}
//# sourceMappingURL=internal-pattern.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/glob/lib/internal-search-state.js
class SearchState {
    constructor(path, level) {
        this.path = path;
        this.level = level;
    }
}
//# sourceMappingURL=internal-search-state.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/glob/lib/internal-globber.js
var internal_globber_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};
var __asyncValues = (undefined && undefined.__asyncValues) || function (o) {
    if (!Symbol.asyncIterator) throw new TypeError("Symbol.asyncIterator is not defined.");
    var m = o[Symbol.asyncIterator], i;
    return m ? m.call(o) : (o = typeof __values === "function" ? __values(o) : o[Symbol.iterator](), i = {}, verb("next"), verb("throw"), verb("return"), i[Symbol.asyncIterator] = function () { return this; }, i);
    function verb(n) { i[n] = o[n] && function (v) { return new Promise(function (resolve, reject) { v = o[n](v), settle(resolve, reject, v.done, v.value); }); }; }
    function settle(resolve, reject, d, v) { Promise.resolve(v).then(function(v) { resolve({ value: v, done: d }); }, reject); }
};
var __await = (undefined && undefined.__await) || function (v) { return this instanceof __await ? (this.v = v, this) : new __await(v); }
var __asyncGenerator = (undefined && undefined.__asyncGenerator) || function (thisArg, _arguments, generator) {
    if (!Symbol.asyncIterator) throw new TypeError("Symbol.asyncIterator is not defined.");
    var g = generator.apply(thisArg, _arguments || []), i, q = [];
    return i = Object.create((typeof AsyncIterator === "function" ? AsyncIterator : Object).prototype), verb("next"), verb("throw"), verb("return", awaitReturn), i[Symbol.asyncIterator] = function () { return this; }, i;
    function awaitReturn(f) { return function (v) { return Promise.resolve(v).then(f, reject); }; }
    function verb(n, f) { if (g[n]) { i[n] = function (v) { return new Promise(function (a, b) { q.push([n, v, a, b]) > 1 || resume(n, v); }); }; if (f) i[n] = f(i[n]); } }
    function resume(n, v) { try { step(g[n](v)); } catch (e) { settle(q[0][3], e); } }
    function step(r) { r.value instanceof __await ? Promise.resolve(r.value.v).then(fulfill, reject) : settle(q[0][2], r); }
    function fulfill(value) { resume("next", value); }
    function reject(value) { resume("throw", value); }
    function settle(f, v) { if (f(v), q.shift(), q.length) resume(q[0][0], q[0][1]); }
};








const internal_globber_IS_WINDOWS = process.platform === 'win32';
class DefaultGlobber {
    constructor(options) {
        this.patterns = [];
        this.searchPaths = [];
        this.options = getOptions(options);
    }
    getSearchPaths() {
        // Return a copy
        return this.searchPaths.slice();
    }
    glob() {
        return internal_globber_awaiter(this, void 0, void 0, function* () {
            var _a, e_1, _b, _c;
            const result = [];
            try {
                for (var _d = true, _e = __asyncValues(this.globGenerator()), _f; _f = yield _e.next(), _a = _f.done, !_a; _d = true) {
                    _c = _f.value;
                    _d = false;
                    const itemPath = _c;
                    result.push(itemPath);
                }
            }
            catch (e_1_1) { e_1 = { error: e_1_1 }; }
            finally {
                try {
                    if (!_d && !_a && (_b = _e.return)) yield _b.call(_e);
                }
                finally { if (e_1) throw e_1.error; }
            }
            return result;
        });
    }
    globGenerator() {
        return __asyncGenerator(this, arguments, function* globGenerator_1() {
            // Fill in defaults options
            const options = getOptions(this.options);
            // Implicit descendants?
            const patterns = [];
            for (const pattern of this.patterns) {
                patterns.push(pattern);
                if (options.implicitDescendants &&
                    (pattern.trailingSeparator ||
                        pattern.segments[pattern.segments.length - 1] !== '**')) {
                    patterns.push(new Pattern(pattern.negate, true, pattern.segments.concat('**')));
                }
            }
            // Push the search paths
            const stack = [];
            for (const searchPath of getSearchPaths(patterns)) {
                core_debug(`Search path '${searchPath}'`);
                // Exists?
                try {
                    // Intentionally using lstat. Detection for broken symlink
                    // will be performed later (if following symlinks).
                    yield __await(external_fs_.promises.lstat(searchPath));
                }
                catch (err) {
                    if (err.code === 'ENOENT') {
                        continue;
                    }
                    throw err;
                }
                stack.unshift(new SearchState(searchPath, 1));
            }
            // Search
            const traversalChain = []; // used to detect cycles
            while (stack.length) {
                // Pop
                const item = stack.pop();
                // Match?
                const match = internal_pattern_helper_match(patterns, item.path);
                const partialMatch = !!match || internal_pattern_helper_partialMatch(patterns, item.path);
                if (!match && !partialMatch) {
                    continue;
                }
                // Stat
                const stats = yield __await(DefaultGlobber.stat(item, options, traversalChain)
                // Broken symlink, or symlink cycle detected, or no longer exists
                );
                // Broken symlink, or symlink cycle detected, or no longer exists
                if (!stats) {
                    continue;
                }
                // Hidden file or directory?
                if (options.excludeHiddenFiles && external_path_.basename(item.path).match(/^\./)) {
                    continue;
                }
                // Directory
                if (stats.isDirectory()) {
                    // Matched
                    if (match & MatchKind.Directory && options.matchDirectories) {
                        yield yield __await(item.path);
                    }
                    // Descend?
                    else if (!partialMatch) {
                        continue;
                    }
                    // Push the child items in reverse
                    const childLevel = item.level + 1;
                    const childItems = (yield __await(external_fs_.promises.readdir(item.path))).map(x => new SearchState(external_path_.join(item.path, x), childLevel));
                    stack.push(...childItems.reverse());
                }
                // File
                else if (match & MatchKind.File) {
                    yield yield __await(item.path);
                }
            }
        });
    }
    /**
     * Constructs a DefaultGlobber
     */
    static create(patterns, options) {
        return internal_globber_awaiter(this, void 0, void 0, function* () {
            const result = new DefaultGlobber(options);
            if (internal_globber_IS_WINDOWS) {
                patterns = patterns.replace(/\r\n/g, '\n');
                patterns = patterns.replace(/\r/g, '\n');
            }
            const lines = patterns.split('\n').map(x => x.trim());
            for (const line of lines) {
                // Empty or comment
                if (!line || line.startsWith('#')) {
                    continue;
                }
                // Pattern
                else {
                    result.patterns.push(new Pattern(line));
                }
            }
            result.searchPaths.push(...getSearchPaths(result.patterns));
            return result;
        });
    }
    static stat(item, options, traversalChain) {
        return internal_globber_awaiter(this, void 0, void 0, function* () {
            // Note:
            // `stat` returns info about the target of a symlink (or symlink chain)
            // `lstat` returns info about a symlink itself
            let stats;
            if (options.followSymbolicLinks) {
                try {
                    // Use `stat` (following symlinks)
                    stats = yield external_fs_.promises.stat(item.path);
                }
                catch (err) {
                    if (err.code === 'ENOENT') {
                        if (options.omitBrokenSymbolicLinks) {
                            core_debug(`Broken symlink '${item.path}'`);
                            return undefined;
                        }
                        throw new Error(`No information found for the path '${item.path}'. This may indicate a broken symbolic link.`);
                    }
                    throw err;
                }
            }
            else {
                // Use `lstat` (not following symlinks)
                stats = yield external_fs_.promises.lstat(item.path);
            }
            // Note, isDirectory() returns false for the lstat of a symlink
            if (stats.isDirectory() && options.followSymbolicLinks) {
                // Get the realpath
                const realPath = yield external_fs_.promises.realpath(item.path);
                // Fixup the traversal chain to match the item level
                while (traversalChain.length >= item.level) {
                    traversalChain.pop();
                }
                // Test for a cycle
                if (traversalChain.some((x) => x === realPath)) {
                    core_debug(`Symlink cycle detected for path '${item.path}' and realpath '${realPath}'`);
                    return undefined;
                }
                // Update the traversal chain
                traversalChain.push(realPath);
            }
            return stats;
        });
    }
}
//# sourceMappingURL=internal-globber.js.map
// EXTERNAL MODULE: external "stream"
var external_stream_ = __nccwpck_require__(2203);
// EXTERNAL MODULE: external "util"
var external_util_ = __nccwpck_require__(9023);
;// CONCATENATED MODULE: ./node_modules/@actions/glob/lib/internal-hash-files.js
var internal_hash_files_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};
var internal_hash_files_asyncValues = (undefined && undefined.__asyncValues) || function (o) {
    if (!Symbol.asyncIterator) throw new TypeError("Symbol.asyncIterator is not defined.");
    var m = o[Symbol.asyncIterator], i;
    return m ? m.call(o) : (o = typeof __values === "function" ? __values(o) : o[Symbol.iterator](), i = {}, verb("next"), verb("throw"), verb("return"), i[Symbol.asyncIterator] = function () { return this; }, i);
    function verb(n) { i[n] = o[n] && function (v) { return new Promise(function (resolve, reject) { v = o[n](v), settle(resolve, reject, v.done, v.value); }); }; }
    function settle(resolve, reject, d, v) { Promise.resolve(v).then(function(v) { resolve({ value: v, done: d }); }, reject); }
};






function hashFiles(globber_1, currentWorkspace_1) {
    return internal_hash_files_awaiter(this, arguments, void 0, function* (globber, currentWorkspace, verbose = false) {
        var _a, e_1, _b, _c;
        var _d;
        const writeDelegate = verbose ? core.info : core.debug;
        let hasMatch = false;
        const githubWorkspace = currentWorkspace
            ? currentWorkspace
            : ((_d = process.env['GITHUB_WORKSPACE']) !== null && _d !== void 0 ? _d : process.cwd());
        const result = crypto.createHash('sha256');
        let count = 0;
        try {
            for (var _e = true, _f = internal_hash_files_asyncValues(globber.globGenerator()), _g; _g = yield _f.next(), _a = _g.done, !_a; _e = true) {
                _c = _g.value;
                _e = false;
                const file = _c;
                writeDelegate(file);
                if (!file.startsWith(`${githubWorkspace}${path.sep}`)) {
                    writeDelegate(`Ignore '${file}' since it is not under GITHUB_WORKSPACE.`);
                    continue;
                }
                if (fs.statSync(file).isDirectory()) {
                    writeDelegate(`Skip directory '${file}'.`);
                    continue;
                }
                const hash = crypto.createHash('sha256');
                const pipeline = util.promisify(stream.pipeline);
                yield pipeline(fs.createReadStream(file), hash);
                result.write(hash.digest());
                count++;
                if (!hasMatch) {
                    hasMatch = true;
                }
            }
        }
        catch (e_1_1) { e_1 = { error: e_1_1 }; }
        finally {
            try {
                if (!_e && !_a && (_b = _f.return)) yield _b.call(_f);
            }
            finally { if (e_1) throw e_1.error; }
        }
        result.end();
        if (hasMatch) {
            writeDelegate(`Found ${count} files to hash.`);
            return result.digest('hex');
        }
        else {
            writeDelegate(`No matches found for glob`);
            return '';
        }
    });
}
//# sourceMappingURL=internal-hash-files.js.map
;// CONCATENATED MODULE: ./node_modules/@actions/glob/lib/glob.js
var glob_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};


/**
 * Constructs a globber
 *
 * @param patterns  Patterns separated by newlines
 * @param options   Glob options
 */
function create(patterns, options) {
    return glob_awaiter(this, void 0, void 0, function* () {
        return yield DefaultGlobber.create(patterns, options);
    });
}
/**
 * Computes the sha256 hash of a glob
 *
 * @param patterns  Patterns separated by newlines
 * @param currentWorkspace  Workspace used when matching files
 * @param options   Glob options
 * @param verbose   Enables verbose logging
 */
function glob_hashFiles(patterns_1) {
    return glob_awaiter(this, arguments, void 0, function* (patterns, currentWorkspace = '', options, verbose = false) {
        let followSymbolicLinks = true;
        if (options && typeof options.followSymbolicLinks === 'boolean') {
            followSymbolicLinks = options.followSymbolicLinks;
        }
        const globber = yield create(patterns, { followSymbolicLinks });
        return _hashFiles(globber, currentWorkspace, verbose);
    });
}
//# sourceMappingURL=glob.js.map
;// CONCATENATED MODULE: ./lib/files/glob.js






const VALID_FIX = "Write a path from the workspace, or an absolute one, such as `${{ runner.temp }}/report.json`, without '.' and '..' in it.";
/**
 * Compiles a pattern. With `dot`, wildcards match names that begin with a dot. Throws a StepError for a pattern that
 * @actions/glob refuses.
 */
async function compileGlob(text, workspace, dot) {
    const pattern = makeAbsolute(text, workspace);
    const searchPath = await findSearchPath(text, pattern);
    const itself = parse(pattern, dot);
    const below = parse(`${pattern}/**`, dot);
    // Asked about a part of a path, minimatch may accept a hidden name that no wildcard matches.
    const namesHidden = dot || /(?:^|[/[\\])\./.test(pattern.slice(searchPath.length));
    return {
        text,
        searchPath,
        matches: (path) => itself.match(compose(path)),
        matchesAbove: (path) => below.match(compose(path)),
        mayMatchBelow: (path) => (namesHidden || !(0,external_node_path_namespaceObject.basename)(path).startsWith('.')) && below.match(compose(path), true),
    };
}
async function findSearchPath(text, pattern) {
    try {
        // Made absolute, an empty pattern would be the whole workspace.
        if (text === '')
            throw new Error('empty');
        return String((await create(pattern)).getSearchPaths()[0]);
    }
    catch {
        throw new StepError('files', `The pattern '${text}' is not valid.`, VALID_FIX);
    }
}
/** Composes letters on macOS, whose file systems take composed and decomposed ones for the same and list either. */
function compose(text) {
    return IS_MACOS ? text.normalize() : text;
}
function parse(pattern, dot) {
    const options = { nobrace: true, noext: true, nocase: IS_WINDOWS, dot };
    const parsed = new Minimatch(compose(pattern), options);
    for (const name of parsed.set.flat())
        if (name instanceof RegExp)
            makeLinear(name);
    return parsed;
}
/** The source of the regular expression that minimatch makes of `*`. */
const STAR = '[^/]*?';
/**
 * Makes the time to match a name linear in its length. It searches each text between two `*` where the one before it
 * ends. A regular expression tries each `*` at every character, which takes half a minute for five of them and a name
 * of 250 characters.
 */
function makeLinear(name) {
    const texts = name.source.split(STAR).map((text) => new RegExp(text, `${name.flags}g`));
    // For some patterns minimatch sets a test of its own, which is fast.
    if (texts.length < 3 || Object.hasOwn(name, 'test'))
        return;
    name.test = (tested) => {
        let end = 0;
        return texts.every((text) => {
            text.lastIndex = end;
            const isFound = text.test(tested);
            end = text.lastIndex;
            return isFound;
        });
    };
}

;// CONCATENATED MODULE: ./lib/files/search.js







const MAX_PATHS = 100_000;
/** How many directories are read at the same time. */
const MAX_PARALLEL = 64;
/** How many times names of a directory are matched before timers and signals have their turn. */
const MATCHES_PER_TURN = 1000;
/** How many paths that cannot be read a message lists. */
const MAX_FAILURES = 3;
/** Node writes it for bytes that are not UTF-8: such a name leads nowhere. It may also be a character of the name. */
const REPLACEMENT = '\uFFFD';
const EXCLUDE_FIX = 'Exclude directories without scans in lines below the pattern (`!dir/**`).';
/**
 * Returns the sorted absolute paths of all but directories that match a pattern and none of the excludes. Every search
 * ends, because it follows no link to a directory above, and only one of the links with the same name and target.
 * Throws a StepError for what cannot be read and may be or contain a match, and for more than 100,000 paths. Rejects
 * with the signal's reason once it fires. `workspace` is that of paths in messages. The search of `@actions/glob` takes
 * ten times as long, and `fdir` and `tinyglobby` lose files beside links.
 */
async function searchGlob(glob, excludes, workspace, signal) {
    const search = new Search(glob, excludes, signal);
    const branches = [{ path: glob.searchPath }];
    while (branches.length > 0) {
        const visits = branches.splice(-MAX_PARALLEL).map(async (branch) => search.visit(branch));
        for (const branch of (await Promise.all(visits)).flat())
            branches.push(branch);
    }
    if (search.failures.size > 0)
        throw explainFailures(glob, search.failures, workspace);
    return search.paths.toSorted();
}
/** What a search has found so far. */
class Search {
    #glob;
    #excludes;
    #signal;
    /** The links to directories that were followed, as a target with the name of its link. */
    #followed = new Set();
    /** The files that match. */
    paths = [];
    /** Why a path that may be or contain a match could not be read. */
    failures = new Map();
    constructor(glob, excludes, signal) {
        this.#glob = glob;
        this.#excludes = excludes;
        this.#signal = signal;
    }
    /** Adds the matching files of a branch, and returns the branches that it leads to. */
    async visit(branch) {
        this.#signal.throwIfAborted();
        const { path } = branch;
        const isUnresolved = !('real' in branch);
        // The excludes come first, because nothing that they match needs to be readable.
        const isExcluded = this.#excludes.some((exclude) => exclude.matchesAbove((0,external_node_path_namespaceObject.join)(path, 'any')));
        try {
            if (isUnresolved)
                return await this.#resolve(branch, isExcluded);
            return isExcluded || this.#isRepeated(branch) ? [] : await this.#list(branch);
        }
        catch (error) {
            this.#signal.throwIfAborted();
            if (error instanceof StepError)
                throw error;
            const leadsNowhere = ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '');
            if (!isExcluded && !(isUnresolved && leadsNowhere))
                this.failures.set(path, errorMessage(error));
            return [];
        }
    }
    /** Adds the file that a path leads to, or returns the directory. */
    async #resolve({ path, above }, isExcluded) {
        if (!(await (0,external_node_fs_promises_namespaceObject.stat)(path)).isDirectory()) {
            this.#addFile(path);
            return [];
        }
        const real = await (0,external_node_fs_promises_namespaceObject.realpath)(path);
        const isAbove = above !== undefined && isWithin(above, real);
        return isExcluded || isAbove ? [] : [{ path, real, link: (0,external_node_path_namespaceObject.join)(real, (0,external_node_path_namespaceObject.basename)(path)) }];
    }
    /** Whether a link with the same name and target led to the directory before. */
    #isRepeated({ link }) {
        if (link === undefined)
            return false;
        const isKnown = this.#followed.has(link);
        this.#followed.add(link);
        return isKnown;
    }
    /** Adds the files in a directory, and returns its directories and links that may contain a match. */
    async #list({ path, real }) {
        const isCovered = this.#glob.matchesAbove((0,external_node_path_namespaceObject.join)(path, 'any'));
        const prefix = (0,external_node_path_namespaceObject.join)(path, external_node_path_namespaceObject.sep);
        const namesPerTurn = Math.ceil(MATCHES_PER_TURN / (1 + this.#excludes.length));
        const inside = [];
        for (const [index, entry] of (await (0,external_node_fs_promises_namespaceObject.readdir)(path, { withFileTypes: true })).entries()) {
            if (index % namesPerTurn === namesPerTurn - 1)
                await (0,promises_namespaceObject.setImmediate)();
            this.#signal.throwIfAborted();
            const own = `${prefix}${entry.name}`;
            if (entry.name.includes(REPLACEMENT) && !(await exists(own)))
                continue;
            const isLink = entry.isSymbolicLink();
            if (!isLink && !entry.isDirectory())
                this.#addFile(own, isCovered);
            else if (this.#glob.mayMatchBelow(own)) {
                const directory = { path: own, real: (0,external_node_path_namespaceObject.join)(real, entry.name) };
                inside.push(isLink ? { path: own, above: real } : directory);
            }
        }
        return inside;
    }
    /** Adds a file if it matches. `isCovered` says whether the pattern may match a directory above it. */
    #addFile(path, isCovered = true) {
        const { matches, matchesAbove, text } = this.#glob;
        if (!matches(path) && !(isCovered && matchesAbove(path)))
            return;
        if (this.#excludes.some((each) => each.matches(path) || each.matchesAbove(path)))
            return;
        this.paths.push(path);
        if (this.paths.length <= MAX_PATHS)
            return;
        const problem = `The pattern '${text}' matches more than ${MAX_PATHS} paths.`;
        throw new StepError('files', problem, EXCLUDE_FIX);
    }
}
async function exists(path) {
    return (0,external_node_fs_promises_namespaceObject.lstat)(path).then(() => true, () => false);
}
/** Returns an error, because what was found may be an old copy of a file that cannot be read, or only one of two. */
function explainFailures({ text }, failures, workspace) {
    const sorted = [...failures].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const reasons = sorted.map(([, reason]) => reason);
    const lines = sorted.map(([path]) => `\`!${displayPath(path, workspace)}/**\``);
    const shown = lines.slice(0, MAX_FAILURES).join(', ');
    const problem = `The pattern '${text}' cannot be searched: ${listSome(reasons, MAX_FAILURES)}.`;
    const fix = `If no scan is there, add to the lines below the pattern: ${shown}.`;
    return new StepError('files', problem, [fix, READ_FIX]);
}

;// CONCATENATED MODULE: ./lib/files/find.js





/**
 * Finds each file of a selection once, in the order of the patterns. If an input for one file matches several, returns
 * only these, because the plan refuses them.
 */
async function findFiles(selection, scope, signal) {
    const results = [];
    for (const { input, patterns } of selection) {
        const result = await matchPatterns(input, patterns, scope, signal);
        if (input !== 'files' && result.files.length > 1)
            return { ...result, unmatched: [] };
        results.push(result);
    }
    return {
        files: results.flatMap(({ files }) => files),
        unmatched: results.flatMap(({ unmatched }) => unmatched),
    };
}
/** Finds the files that the patterns of an input match. */
async function matchPatterns(input, patterns, scope, signal) {
    /** The files by their real path, because links and other spellings may lead to one. A hard link is another file. */
    const files = new Map();
    const unmatched = [];
    const compiled = await compilePatterns(patterns, scope, signal);
    for (const [index, { glob, isExclusion }] of compiled.entries()) {
        if (isExclusion)
            continue;
        const below = compiled.slice(index + 1);
        const excludes = below.flatMap((each) => (each.isExclusion ? each.glob : []));
        const paths = await searchGlob(glob, excludes, scope.workspace, signal);
        if (paths.length === 0)
            unmatched.push({ input, glob, excludes });
        for (const path of paths) {
            const real = await (0,external_node_fs_promises_namespaceObject.realpath)(path).catch(() => path);
            const isNamed = path === glob.searchPath;
            const known = files.get(real);
            // A pattern that names the file says more than one whose wildcard matches it too.
            if (known === undefined || (known.isUnnamed && isNamed)) {
                const directory = isNamed ? (0,external_node_path_namespaceObject.dirname)(path) : glob.searchPath;
                files.set(real, { path, input, directory, isUnnamed: !isNamed });
            }
        }
    }
    return { files: [...files.values()], unmatched };
}
/** Compiles all patterns of an input. Rejects with the signal's reason once it fires. */
async function compilePatterns(patterns, { workspace, includeHidden }, signal) {
    const compiled = [];
    for (const pattern of patterns) {
        // A file of `scans` may have so many patterns that timers and signals would have to wait for minutes.
        await (0,promises_namespaceObject.setImmediate)();
        signal.throwIfAborted();
        const dot = pattern.isExclusion || includeHidden;
        compiled.push({ ...pattern, glob: await compileGlob(pattern.text, workspace, dot) });
    }
    return compiled;
}

;// CONCATENATED MODULE: ./lib/files/mistakes.js


/** What is wrong with the text of a pattern, and what to do about it; undefined if it looks right. */
function findMistake(text, input) {
    const unexpanded = findUnexpanded(text);
    if (unexpanded !== undefined)
        return unexpanded;
    const [comment] = /\s+#.*/.exec(text) ?? [];
    if (comment !== undefined) {
        return `Remove '${comment.trim()}': only a line that begins with '#' is a comment.`;
    }
    if (!IS_WINDOWS && text.includes('\\')) {
        return "Write '/' between names: '\\' makes the next character literal.";
    }
    const [mark] = /^(?:["']|-(?=\s))/.exec(text) ?? [];
    if (mark !== undefined)
        return `Remove the '${mark}': each line is a pattern as it is.`;
    const [, object] = /(?:^|\/)(Object|Array)(?=\/|$)/.exec(text) ?? [];
    if (object !== undefined) {
        return `'${object}' is the text of an object or a list: name its member, such as \`.name\`.`;
    }
    if (/[{},]/.test(text)) {
        return 'Write each pattern in a line of its own, without braces and commas.';
    }
    const words = text.split(/\s+/);
    if (words.length > 1 && words.every(looksLikePath)) {
        return `Write each pattern in a line of its own: \`${input}: |\` keeps line breaks, \`>\` does not.`;
    }
    return undefined;
}
/** Whether a word has a wildcard, an extension, a `/` at its end, or the `!` of an exclusion. */
function looksLikePath(word) {
    return /^!|[*?]|\.\w+$|\/$/.test(word);
}

;// CONCATENATED MODULE: ./lib/files/unmatched.js









const PATTERN_FIX = 'Check the pattern, and where the scan step writes the file.';
/** How many patterns a message names. */
const MAX_NAMED_PATTERNS = 10;
/** How many files a message shows for each pattern. */
const MAX_SHOWN_FILES = 3;
/** Where an expression may have been that is empty: a name that is missing, or of which only the ending is left. */
const EMPTY = /\/(?=\/)|(?<=^|\/)\.(?:json|sarif|xml)$/i;
/** Hidden names that only keep an empty directory in a repository. */
const KEEPERS = ['.gitkeep', '.gitignore'];
/** Where GitHub's runners, self-hosted ones and containers have the workspace and the temporary directory. */
const RUNNER = /^(?:\/home\/runner\/work|\/Users\/runner\/work|\/github|\/__w|[a-z]:[/\\]a|.*[/\\]_work)(?=[/\\])/i;
/** Returns the error for a selection with patterns that match no file. Searches end at `limit`. */
async function explainUnmatched({ files, unmatched }, scope, limit) {
    const hints = { ...scope, limit, taken: new Set(files.map(({ path }) => path)) };
    // What is wrong with several patterns is said once.
    const sentences = new Set();
    let fix = [];
    for (const each of unmatched.slice(0, MAX_NAMED_PATTERNS)) {
        sentences.add(`\`${each.input}\`: no file matches '${each.glob.text}'.`);
        const mistake = await diagnose(each, hints);
        if (mistake === undefined) {
            fix = [PATTERN_FIX];
            sentences.add(await propose(each, hints));
        }
        else
            sentences.add(mistake);
    }
    const others = unmatched.length - MAX_NAMED_PATTERNS;
    if (others > 0)
        sentences.add(`${others} more patterns match no file.`);
    if (files.length > 0)
        sentences.add('Every pattern must match at least one file.');
    return new StepError('files', joinTexts([...sentences], ' '), fix);
}
/** Why nothing matches, with what to do about it; undefined if that is not known. */
async function diagnose({ input, glob: { text, searchPath }, excludes }, scope) {
    const [runner] = RUNNER.exec(text) ?? [];
    if (runner !== undefined && (await findStats(runner)) === undefined) {
        const here = [scope.workspace, process.env.RUNNER_TEMP].filter((path) => path !== undefined);
        return `Write a path in ${here.join(' or ')}: this is one of another machine.`;
    }
    const mistake = findMistake(text, input);
    if (mistake !== undefined)
        return mistake;
    const found = await findPaths(text, excludes, { ...scope, includeHidden: true });
    const hidden = found.filter((path) => !KEEPERS.includes((0,external_node_path_namespaceObject.basename)(path)));
    if (hidden.length > 0) {
        return `Set \`include-hidden-files: true\` to match ${await nameNewest(hidden, scope)}.`;
    }
    const excluded = excludes.length === 0 ? [] : await findPaths(text, [], scope);
    if (excluded.length > 0)
        return `Lines with '!' leave out ${await nameNewest(excluded, scope)}.`;
    const isEmpty = (await unmatched_listNames(scope.workspace))?.length === 0;
    if (!isEmpty || !isWithin(searchPath, scope.workspace))
        return undefined;
    return 'The workspace is empty: download the artifact with the files first, or check out the repository.';
}
/** What is wrong with the directory, and files that may be meant; empty if nothing is known. */
async function propose(unmatched, scope) {
    const { searchPath, text } = unmatched.glob;
    const isDirectory = isWild(text) || (await findStats(searchPath))?.isDirectory();
    const directory = isDirectory ? searchPath : (0,external_node_path_namespaceObject.dirname)(searchPath);
    // A search of the workspace does not see such a directory. The root has only files of the system.
    const isOutside = !isWithin(directory, scope.workspace) && (0,external_node_path_namespaceObject.dirname)(directory) !== directory;
    const near = isOutside ? await describeSimilar(await listFiles(directory), unmatched, scope) : '';
    if (near !== '')
        return near;
    // Packages have many files that are no scans.
    const modules = await compileGlob('**/node_modules', scope.workspace, true);
    const found = await findPaths('**', [...unmatched.excludes, modules], scope);
    const far = await describeSimilar(found, unmatched, scope);
    const state = await describeDirectory(directory, scope.workspace);
    return joinTexts([state, await explainAbsence(unmatched.glob), far], ' ');
}
/** Why a path may not be there; empty if it has nothing special. */
async function explainAbsence({ text, searchPath }) {
    const missing = await findMissing(searchPath);
    if (missing === undefined)
        return '';
    const isAtRoot = text.startsWith('/') && (0,external_node_path_namespaceObject.dirname)(missing) === (0,external_node_path_namespaceObject.dirname)((0,external_node_path_namespaceObject.dirname)(missing));
    const [gap] = isAtRoot ? ['/'] : (EMPTY.exec(text) ?? []);
    if (gap !== undefined)
        return `Check that the expression before '${gap}' is not empty.`;
    if ((0,external_node_path_namespaceObject.basename)(missing).startsWith('.')) {
        return 'For a file from an artifact, set `include-hidden-files: true` of actions/upload-artifact too.';
    }
    const { RUNNER_TEMP: temporary = '' } = process.env;
    if (temporary === '' || !isWithin(searchPath, temporary))
        return '';
    return 'Pass a file of another job on as an artifact: the temporary directory is emptied for each job.';
}
/** Returns the first part of a path that leads to nothing; undefined if the whole path leads somewhere. */
async function findMissing(path) {
    if ((await findStats(path)) !== undefined)
        return undefined;
    const above = (0,external_node_path_namespaceObject.dirname)(path);
    return (above === path ? undefined : await findMissing(above)) ?? path;
}
/** Names files with a name like that of a pattern, and without a pattern of their own; empty if there are none. */
async function describeSimilar(found, { glob: { text, searchPath } }, scope) {
    const paths = found.filter((path) => !scope.taken.has(path));
    const twin = paths.find((path) => path !== searchPath && path.normalize() === searchPath.normalize());
    if (twin !== undefined) {
        return `'${displayPath(twin, scope.workspace)}' differs only in composed or decomposed letters (Unicode): copy its name.`;
    }
    const name = foldSpelling((0,external_node_path_namespaceObject.basename)(searchPath));
    const same = isWild(text) ? [] : paths.filter((path) => foldSpelling((0,external_node_path_namespaceObject.basename)(path)) === name);
    if (same.length > 0)
        return `Did you mean ${await nameNewest(same, scope)}?`;
    const ending = (0,external_node_path_namespaceObject.extname)(text).toLowerCase();
    const like = paths.filter((path) => (0,external_node_path_namespaceObject.extname)(path).toLowerCase() === ending);
    if (ending === '' || like.length === 0)
        return '';
    return `Files that end in ${ending}: ${await nameNewest(like, scope)}.`;
}
/** Whether a directory is missing or empty, in a sentence. One that cannot be read has ended the search before. */
async function describeDirectory(directory, workspace) {
    const name = `The directory '${displayPath(directory, workspace)}'`;
    const names = await unmatched_listNames(directory);
    if (names === undefined)
        return `${name} does not exist.`;
    return names.length === 0 ? `${name} is empty.` : '';
}
/** The names in a directory; undefined if there is none. */
async function unmatched_listNames(directory) {
    return (0,external_node_fs_promises_namespaceObject.readdir)(directory).catch(() => undefined);
}
/** The paths in a directory that are not hidden; none if there is no such directory. */
async function listFiles(directory) {
    const names = (await unmatched_listNames(directory)) ?? [];
    return names.filter((name) => !name.startsWith('.')).map((name) => (0,external_node_path_namespaceObject.join)(directory, name));
}
/** What a path leads to; undefined if that is nothing. */
async function findStats(path) {
    return (0,external_node_fs_promises_namespaceObject.stat)(path).catch(() => undefined);
}
/** The files that a pattern matches; none if the limit ends the search. */
async function findPaths(text, excludes, scope) {
    const { workspace, includeHidden, limit } = scope;
    const glob = await compileGlob(text, workspace, includeHidden);
    return searchGlob(glob, excludes, workspace, limit).catch(() => []);
}
/** Names some of these files, the newest first. */
async function nameNewest(paths, { workspace }) {
    const dated = paths.map(async (path) => {
        return { path, time: (await findStats(path))?.mtimeMs ?? 0 };
    });
    const newest = (await Promise.all(dated)).toSorted((one, other) => other.time - one.time);
    const shown = newest.slice(0, MAX_SHOWN_FILES);
    return shown.map(({ path }) => `'${displayPath(path, workspace)}'`).join(', ');
}

;// CONCATENATED MODULE: ./lib/files/bounds.js





/**
 * Throws a StepError if a link leads a file, whose real path is `real`, out of where its pattern may match. A pattern in
 * the workspace may match what really is in the workspace. Any other may match what really is in the directory that it
 * names, such as `/data` in `/data/*.json`. A link to a hidden name needs `include-hidden-files`, unless the pattern
 * spells the name.
 */
async function checkBounds({ path, directory }, real, { workspace, includeHidden }) {
    const home = await (0,external_node_fs_promises_namespaceObject.realpath)(workspace);
    const isForWorkspace = await leadsInto(directory, home);
    const root = isForWorkspace ? home : await (0,external_node_fs_promises_namespaceObject.realpath)(directory);
    if (!(await isInside(real, root))) {
        throw new StepError('files', `'${path}' leads to '${real}', outside ${isForWorkspace ? 'the workspace' : `'${root}'`}, and is not uploaded.`, 'Name the file itself, or copy it into the workspace.');
    }
    const [target, written] = isWithin(real, home)
        ? [(0,external_node_path_namespaceObject.relative)(home, real), (0,external_node_path_namespaceObject.relative)(workspace, path)]
        : [real, path];
    const named = listHidden(written);
    if (includeHidden || listHidden(target).every((name) => named.includes(name)))
        return;
    throw new StepError('files', `'${path}' is a link to the hidden '${real}' and is not uploaded.`, 'Name the file itself, or set `include-hidden-files: true`.');
}
/** Lists the names in a path that begin with a dot, in one spelling. */
function listHidden(path) {
    const names = path.split(external_node_path_namespaceObject.sep).filter((name) => name.startsWith('.'));
    return names.map(foldSpelling);
}
/** Whether the real path of a directory, or of one above it, is the workspace or in it. */
async function leadsInto(directory, home) {
    if (await isInside(await (0,external_node_fs_promises_namespaceObject.realpath)(directory), home))
        return true;
    const above = (0,external_node_path_namespaceObject.dirname)(directory);
    return above !== directory && leadsInto(above, home);
}
/**
 * Whether a real path is a directory or in it. Some file systems without case return a real path in the spelling that
 * was asked for. Then device and inode say whether two spellings are one directory.
 */
async function isInside(real, directory) {
    if (isWithin(real, directory))
        return true;
    const above = real.split(external_node_path_namespaceObject.sep).slice(0, directory.split(external_node_path_namespaceObject.sep).length).join(external_node_path_namespaceObject.sep);
    if (foldSpelling(above) !== foldSpelling(directory))
        return false;
    return (await identifyPath(above)) === (await identifyPath(directory));
}

;// CONCATENATED MODULE: ./lib/files/open.js






/**
 * Opens a found file and then checks it: it must be a regular file that its pattern may match, with a name
 * that can be sent. Throws a StepError.
 */
async function openScanFile(found, scope) {
    const { path } = found;
    const name = (0,external_node_path_namespaceObject.basename)(path);
    const shownPath = displayPath(path, scope.workspace);
    checkCharacters(path, name, shownPath);
    const { handle, stats } = await openChecked(path, async (opened) => checkBounds(found, await findRealPath(path, opened), scope));
    return {
        ...found,
        displayPath: shownPath,
        name,
        size: Number(stats.size),
        mtimeNs: stats.mtimeNs,
        identity: identify(stats),
        handle,
    };
}
/** Throws a StepError if a name cannot be sent, or if messages and outputs could not show its path unchanged. */
function checkCharacters(path, name, shownPath) {
    const isShown = stripInvisible(shownPath) === shownPath && !/[\t\n]/.test(shownPath);
    // A backslash separates directories on Windows, so a service may take the name for a path.
    if (isShown && !name.includes('\\'))
        return;
    throw new StepError('files', `The path '${path}' has a control character, an invisible character or a backslash.`, 'Rename the file or its directory.');
}
/** Opens an inspected file again; it must be the same file, unchanged. Throws a StepError. */
async function reopenScanFile(file) {
    const { handle } = await openChecked(file.path, async (stats) => checkUnchanged(file, stats));
    return { ...file, handle };
}
/**
 * Throws a StepError unless an open file is the one that was inspected, with the same size and modification time. If
 * all of it was inspected, `sent`, the SHA-256 digest of what was sent, must be that of what was inspected.
 */
function checkUnchanged(file, stats, sent) {
    const isOther = sent !== undefined && file.digest !== undefined && sent !== file.digest;
    if (stats.size !== BigInt(file.size))
        throw explainChange(file, 'changed its size');
    if (stats.mtimeNs !== file.mtimeNs || isOther)
        throw explainChange(file, 'was written to');
    if (identify(stats) !== file.identity)
        throw explainChange(file, 'was replaced');
}
/** Returns the error for a file that is no longer as it was when it was inspected. */
function explainChange(file, change) {
    return new StepError('files', `'${file.displayPath}' ${change} after it was inspected.`, 'Upload the file after the scan step has finished writing it.');
}
async function closeFiles(files) {
    await Promise.all(files.map((file) => file.handle.close()));
}
/** Opens a regular file as `openRegularFile` does, but throws a StepError for all that is wrong with its path. */
async function openChecked(path, check) {
    try {
        return await openRegularFile(path, check);
    }
    catch (error) {
        if (error instanceof StepError)
            throw error;
        throw new StepError('files', `'${path}' cannot be opened (${errorReason(error)}).`, errorCode(error) === undefined ? 'Name a regular file.' : READ_FIX);
    }
}

;// CONCATENATED MODULE: ./lib/formats/inspect.js





/**
 * Up to this size a file is read whole. The usual limit of the service for a whole request is lower, 28.6 MiB
 * (Kestrel's and IIS's default).
 */
const MAX_PARSED_BYTES = 32 * 1024 * 1024;
/** More than an upload has: a message about too many files says what they are. */
const MAX_INSPECTED = 10;
/**
 * Opens, inspects and closes the first ten files that were found. Throws a StepError, or the signal's reason if it fires
 * meanwhile.
 */
async function readScanFiles(found, scope, signal) {
    const files = [];
    for (const each of found.slice(0, MAX_INSPECTED)) {
        files.push(await readScanFile(each, scope, signal));
    }
    return { files, others: found.slice(MAX_INSPECTED) };
}
async function readScanFile(found, scope, signal) {
    const { handle, ...facts } = await openScanFile(found, scope);
    try {
        return { ...facts, ...(await inspectFile(handle, facts.size, signal)) };
    }
    catch (error) {
        throw explainReadError(error, facts.displayPath);
    }
    finally {
        await handle.close();
    }
}
/** Inspects an open file of `size` bytes. Returns its digest too if all of it was read. */
async function inspectFile(handle, size, signal) {
    if (size <= MAX_PARSED_BYTES) {
        const bytes = await readBytes(handle, 0, size, signal);
        const digest = (0,external_node_crypto_namespaceObject.createHash)('sha256').update(bytes).digest('hex');
        return { content: inspectBytes(bytes), digest };
    }
    const head = await readBytes(handle, 0, END_LENGTH, signal);
    const tail = await readBytes(handle, size - END_LENGTH, END_LENGTH, signal);
    return { content: inspectBytes(head, tail, size) };
}

;// CONCATENATED MODULE: ./lib/plan/remarks.js




const JSON_FIX = 'Check that the scan step did not fail and writes JSON, or correct INPUT.';
const FILE_FIX = 'Correct INPUT, or the step that writes the file.';
const SBOM_FIX = 'Let the scan step write JSON, as `syft -o cyclonedx-json` does, or correct `dependencies-file`.';
const JSON_HINT = 'The service may expect JSON: most tools write it with an option, such as `trivy --format json`.';
const CYCLONEDX_HINT = 'Most tools write CycloneDX too: `syft -o cyclonedx-json`, `trivy --format cyclonedx`.';
const STREAM_FIX = 'Write them as an array (`jq --slurp`), or each to a file of its own (`>` rather than `>>`).';
/** What to do about a tool that read nothing, such as one in the wrong directory. */
const IDLE_FIX = 'Check what the scan step passes to its tool.';
const CHOICE_FIX = 'Check the scan step, which may have written no file here; if this is the scan, write its path.';
const EMPTY_SBOM = {
    level: 'warning',
    text: 'is an SBOM without components',
    fix: IDLE_FIX,
};
/** Files of npm, Composer, TypeScript and .NET that are never scans, though `*.json` matches them. */
const NEVER_SCANS = /^(?:package(?:-lock)?|npm-shrinkwrap|composer|tsconfig.*|.*\.schema|packages\.lock|project\.assets|.*\.nuget\.dgspec|global|appsettings(?:\..*)?|local\.settings|secrets|launchsettings|.*\.(?:deps|runtimeconfig))\.json$/i;
/** Endings of names that promise a syntax. */
const SYNTAX_ENDINGS = ['.json', '.sarif', '.xml'];
const PAGE_ENDINGS = ['.html', '.htm'];
/** Whether a file is no scan, such as `package.json`, and a pattern matches it by mistake. */
function isMistake({ name, isUnnamed, content }) {
    return isUnnamed === true && NEVER_SCANS.test(name) && findFormat(content.format) === undefined;
}
/** Finds a file that is no whole document, never a scan, or signed, whatever its part is. */
function checkKind({ file: { content } }) {
    const { level, fix } = findKind(content.kind);
    if (level === undefined || level === 'text')
        return undefined;
    return { level, text: content.problem ?? `is ${describeContent(content)}`, fix };
}
/** Finds a file that is not in the syntax that its part or its name demands, and a web page. */
function checkSyntax({ file, part }) {
    const reason = findDemand(file, part);
    if (reason === undefined)
        return undefined;
    const { fix = part?.isJson ? JSON_FIX : FILE_FIX } = findKind(file.content.kind);
    return { level: 'error', text: `is ${describeContent(file.content)}, ${reason}`, fix };
}
/** Why the syntax of a file is wrong; undefined if it is not. */
function findDemand({ name, content }, part) {
    if (part?.isJson)
        return isJson(content) ? undefined : 'not JSON';
    if (content.syntax !== undefined)
        return undefined;
    const ending = (0,external_node_path_namespaceObject.extname)(name);
    if (SYNTAX_ENDINGS.includes(ending.toLowerCase()))
        return `although its name ends in ${ending}`;
    const isPage = content.kind === 'html' && !PAGE_ENDINGS.includes(ending.toLowerCase());
    return isPage ? 'not a scan' : undefined;
}
/** Finds what a pattern may match by mistake: a file of no known format, or half of a pair. */
function checkChoice({ part, file }) {
    const { input, isUnnamed, content } = file;
    if (!isUnnamed)
        return undefined;
    if (input === 'files' && part.isJson && isBareSbom(content)) {
        const text = `${describeSbom(content)}, and the only match of \`files\`: its report may be missing`;
        return { level: 'warning', text, fix: 'For an SBOM alone use `scan-file`.' };
    }
    const isKnown = findFormat(content.format) !== undefined || content.kind !== undefined;
    if (!isMistake(file) && (isKnown || part.expects === 'SBOM'))
        return undefined;
    const text = `is ${describeContent(content)}, and \`${input}\` does not name it`;
    return { level: isMistake(file) ? 'error' : 'warning', text, fix: CHOICE_FIX };
}
/** Finds reports that were appended to a file, and streams where one document is expected. */
function checkStream({ part, file: { content } }) {
    const format = findFormat(content.format);
    const isAppended = format !== undefined && format.isStream !== true;
    if (content.syntax !== 'ndjson' || !(isAppended || part.isJson))
        return undefined;
    const text = `is ${STREAM}: the service may read only the first`;
    return { level: 'warning', text, fix: STREAM_FIX };
}
/** Finds a byte that is not UTF-8. */
function checkBytes({ file: { content } }) {
    const { invalidByte } = content;
    if (invalidByte === undefined)
        return undefined;
    return { level: 'warning', text: `has a byte that is not UTF-8 (at byte ${invalidByte})` };
}
/** Finds the report of a scan that failed or had nothing to read. */
function checkScan({ file: { content } }) {
    if (content.scan === 'idle') {
        return { level: 'warning', text: 'states that nothing was scanned', fix: IDLE_FIX };
    }
    if (content.scan !== 'failed')
        return undefined;
    const text = `states that its scan failed or did not run ("${content.firstError}"): findings may be missing`;
    return { level: 'warning', text };
}
/** Finds what is not the document that its part expects. What is signed may be any. */
function checkRole(planned) {
    if (checkKind(planned) !== undefined)
        return undefined;
    return ROLE_CHECKS[planned.part.expects](planned.file.content);
}
const ROLE_CHECKS = {
    SBOM: checkSbom,
    report: checkReport,
    either: ({ components, vulnerabilities = 0 }) => components === 0 && vulnerabilities === 0 ? EMPTY_SBOM : undefined,
};
/** Finds what is no SBOM in CycloneDX, or an empty one. */
function checkSbom(content) {
    const { level, fix = SBOM_FIX } = findKind(content.kind);
    if (level === 'text' && content.role !== 'SBOM') {
        return { level: 'error', text: `is ${describeContent(content)}, not an SBOM`, fix };
    }
    if (content.format !== 'cyclonedx') {
        const text = `is not recognised as CycloneDX: it is ${describeContent(content)}`;
        // What is no SBOM may be of a tool that writes none.
        return { level: 'warning', text, fix: content.role === 'SBOM' ? CYCLONEDX_HINT : undefined };
    }
    return content.components === 0 ? EMPTY_SBOM : undefined;
}
/** Finds text or XML of no known format, and an SBOM: one with an empty list of vulnerabilities may be a report. */
function checkReport(content) {
    if (content.format === 'xml' || findKind(content.kind).level === 'text') {
        return { level: 'warning', text: `is ${describeContent(content)}`, fix: JSON_HINT };
    }
    if (!isBareSbom(content) || content.mayBeReport)
        return undefined;
    return { level: 'warning', text: `${describeSbom(content)}, not a vulnerability report` };
}
function describeSbom(content) {
    return `is an SBOM (${describeContent(content)}) without a list of vulnerabilities`;
}
/** The checks of each file, in their order: the first error says it all. */
const CHECKS = [
    checkChoice,
    checkKind,
    checkSyntax,
    checkStream,
    checkScan,
    checkBytes,
    checkRole,
];

;// CONCATENATED MODULE: ./lib/plan/check.js




/**
 * Checks the planned files' contents. The interface does not limit the formats, so a well-formed file that is not
 * recognised is only a warning. `strictness` is `content-check`: with `error` an error throws a StepError; otherwise all
 * are warnings of the parts in the returned plan.
 */
function checkContents(plan, strictness) {
    if (strictness === 'off')
        return plan;
    const swap = findSwap(plan.parts);
    const checked = plan.parts.map((planned) => {
        // That files are swapped explains what they are not.
        return { planned, remarks: swap === undefined ? checkPart(planned) : [swap] };
    });
    const remarks = new Set(checked.flatMap((each) => each.remarks));
    const errors = [...remarks].filter(({ level }) => level === 'error');
    if (strictness === 'error' && errors.length > 0)
        throw makeError(errors);
    const parts = checked.map((each) => ({
        ...each.planned,
        warnings: each.remarks.map(({ text, fix = '' }) => `${text} ${fix}`.trim()),
    }));
    return { ...plan, parts };
}
/** The error for files that fail whatever their parts are; undefined if there are none. */
function findFaults(files) {
    // A file that is no scan, and that a pattern matches by mistake, is no scan that failed.
    const meant = files.filter((file) => !isMistake(file));
    const faults = meant.flatMap((file) => {
        const remark = checkKind({ file }) ?? checkSyntax({ file });
        return remark?.level === 'error' ? [check_spell(remark, `'${file.displayPath}'`, file)] : [];
    });
    return faults.length === 0 ? undefined : makeError(faults);
}
function makeError(errors) {
    const faults = errors.map(({ text }) => text);
    return new StepError('contents', faults, [...new Set(errors.flatMap(({ fix = [] }) => fix))]);
}
/** A remark in sentences, with what messages call the file. */
function check_spell({ level, text, fix }, name, { input }) {
    return { level, text: `${name} ${text}.`, fix: fix?.replace('INPUT', `\`${input}\``) };
}
/** The first error of a file, which says it all, or each warning. */
function checkPart(planned) {
    const remarks = CHECKS.flatMap((check) => check(planned) ?? []);
    const error = remarks.find(({ level }) => level === 'error');
    return (error === undefined ? remarks : [error]).map((remark) => check_spell(remark, describePart(planned), planned.file));
}
/**
 * Finds an SBOM and a report that are in the part of the other one: a report, or what is no SBOM, beside an SBOM without
 * vulnerabilities; a report also beside an empty SBOM, which a tool writes that found no project. A file that is not
 * whole may be anything, and what is signed too.
 */
function findSwap(parts) {
    const [first, second] = ['SBOM', 'report'].map((role) => parts.find(({ part }) => part.expects === role));
    if (first === undefined || second === undefined)
        return undefined;
    const [sbom, report] = [first.file.content, second.file.content];
    const isEmpty = report.format === 'cyclonedx' && report.components === 0;
    const isSbom = report.role === 'SBOM' || (isEmpty && report.vulnerabilities === undefined);
    const isReport = sbom.role === 'report';
    const isSwapped = isReport ? isSbom : !isRecognised(sbom) && isBareSbom(report);
    const isUnclear = parts.some((planned) => checkKind(planned) !== undefined);
    if (isUnclear || !isSwapped)
        return undefined;
    const taken = [
        `${describePart(first)} is ${isReport ? 'a report' : 'no SBOM'} (${describeContent(sbom)})`,
        `${describePart(second)} is an SBOM (${describeContent(report)})`,
    ];
    const named = parts.map(({ part }) => `the ${part.expects} as \`${part.input}\``);
    return {
        level: 'error',
        text: `${taken.join(', and ')}: they are swapped.`,
        fix: `Set ${named.join(' and ')}.`,
    };
}

;// CONCATENATED MODULE: ./lib/plan/marks.js


/** The names of marks. They stay the same across versions, for jobs that read the file of results. */
const MARK_NAMES = [
    'unknown-format',
    'scan-failed',
    'scanned-in-part',
    'nothing-scanned',
    'no-result-list',
    'not-checked',
    'old',
    'not-counted',
];
/** What is counted in the file of a part: at least one of these, or the file is not counted. */
const COUNTS = {
    SBOM: ['components'],
    report: ['vulnerabilities', 'findings'],
    either: ['components', 'vulnerabilities', 'findings'],
};
/** How much the clock of a file system may differ from that of the job. */
const CLOCK_MS = 60_000;
/** Lists what makes a file less than it seems in its part. */
function listMarks(part, { content, mtimeNs }, { jobStart, contentCheck }) {
    const { scan, errors = 0, firstError } = content;
    const writtenMs = Number(mtimeNs / 1000000n);
    const texts = {
        'unknown-format': !isRecognised(content) && 'of no known format',
        'scan-failed': scan === 'failed' && 'scan failed',
        'scanned-in-part': scan === 'partial' && `scanned in part (${countOf(errors, 'error')}: ${firstError})`,
        'nothing-scanned': scan === 'idle' && 'nothing scanned',
        'no-result-list': content.hasNoList && 'no list of results',
        'not-checked': contentCheck === 'off' && 'not checked',
        // It may be the report of an earlier run.
        old: writtenMs <= jobStart - CLOCK_MS && describeAge(writtenMs),
        'not-counted': COUNTS[part.expects].every((each) => content[each] === undefined) && 'not counted',
    };
    return MARK_NAMES.flatMap((name) => {
        const text = texts[name];
        return text ? [{ name, text }] : [];
    });
}
function describeAge(writtenMs) {
    const [, day, month, year] = new Date(writtenMs).toUTCString().split(' ');
    return `written before this job began, on ${day} ${month} ${year}`;
}

;// CONCATENATED MODULE: ./lib/plan/choose.js






const ONE_FIX = 'Make the pattern match one file.';
const choose_PAIR_FIX = 'Match one file, or set `dependencies-file` and `vulnerabilities-file`, or `scans` for a scan of each.';
/** For `bom.json` beside `bom.xml`, or two SARIF files. */
const ALIKE_FIX = 'Name one of them, or set `scans` for a scan of each.';
const SAME_FIX = 'Give each part a file of its own, or upload the one file as `scan-file`.';
/**
 * Chooses the operation and each file's part by the inputs that named the files. For `files` their number decides:
 * one is the scan file, and of two the only CycloneDX document is the SBOM. The choice never depends on the findings
 * of a scan. Throws a StepError if a part would have no file, or a file no part.
 */
function planUpload({ files, others }, marking) {
    const operation = OPERATIONS.find((each) => areFilesOf(each, files));
    if (operation === undefined || others.length > 0) {
        throw refuseFiles({ files, others }, marking.contentCheck);
    }
    const parts = operation.parts.flatMap((part) => files
        .filter((file) => fits(file, part))
        .map((file) => ({ part, file, marks: listMarks(part, file, marking) })));
    // Two patterns may find one file if a tool did not write the other.
    if (new Set(files.map(({ identity }) => identity)).size === files.length) {
        return { operation, parts };
    }
    const problem = `${parts.map(describePart).join(' and ')} are the same file.`;
    throw new StepError('contents', problem, SAME_FIX);
}
/** Whether each file fits one part of an operation, and each part has one file. */
function areFilesOf({ parts }, files) {
    const fitting = parts.map((part) => files.filter((file) => fits(file, part)));
    const isOnce = fitting.every(({ length }) => length === 1);
    return isOnce && new Set(fitting.flat()).size === files.length;
}
/** Whether a file is meant for a part: its input says that, or for `files` its format. */
function fits(file, part) {
    if (file.input !== 'files')
        return file.input === part.input;
    return part.expects === 'either' || isCycloneDx(file) === (part.expects === 'SBOM');
}
function isCycloneDx({ content }) {
    return content.format === 'cyclonedx';
}
/**
 * The error for files whose parts are not clear. For `files`, one that fails in any part is the cause: to name only the
 * other one would upload that alone for ever.
 */
function refuseFiles(found, contentCheck) {
    const { files, others } = found;
    const [{ input } = { input: 'files' }] = [...files, ...others];
    const faults = findFaults(files);
    if (input === 'files' && contentCheck === 'error' && faults !== undefined)
        return faults;
    const listed = files.map((file) => `'${file.displayPath}' (${describeContent(file.content)})`);
    const problems = [`\`${input}\` matched ${files.length + others.length} files.`, ...listed];
    if (others.length > 0)
        problems.push(`... and ${others.length} more`);
    const isSound = others.length === 0 && faults === undefined;
    return new StepError('files', problems, findFix(input, files, isSound));
}
/** What settles the parts of files; they are sound if all were inspected, and none fails in any part. */
function findFix(input, files, isSound) {
    if (PARTS.some((part) => part.input === input && part.expects !== 'either'))
        return ONE_FIX;
    if (!isSound)
        return choose_PAIR_FIX;
    const [known, ...more] = files.filter(({ content }) => isRecognised(content));
    if (known !== undefined && more.length === 0) {
        return `Only '${known.displayPath}' is a known scan: name it in \`${input}\`.`;
    }
    const areReports = files.every(({ content }) => content.role === 'report');
    return areReports || files.every(isCycloneDx) ? ALIKE_FIX : choose_PAIR_FIX;
}

;// CONCATENATED MODULE: ./lib/stages/prepare.js









/** How long a step searches for what patterns without a match may mean, in milliseconds. */
const MAX_HINTS_MS = 1000;
/**
 * Finds, inspects, plans and checks the files of each scan before anything is sent, and calls `advance` after each scan.
 * If one of them is invalid, all have a result then, and nothing is uploaded. Throws a StepError if there are no scans
 * and `if-no-files-found` is `error`, and the signal's reason before the next scan once it fires.
 */
async function prepareScans(entries, preparation, advance) {
    const { inputs, scope, signal } = preparation;
    if (entries.length === 0 && inputs.noFiles === 'error') {
        const fix = 'If there may be nothing to upload, set `if-no-files-found: ignore`.';
        throw new StepError('files', '`scans` has no entries.', fix);
    }
    let limit;
    const explain = async (found) => {
        limit ??= AbortSignal.timeout(MAX_HINTS_MS);
        return explainUnmatched(found, scope, limit);
    };
    const prepared = [];
    // They are inspected one after the other, because parsing a large file takes a lot of memory.
    for (const entry of entries) {
        prepared.push(await prepareScan(entry, preparation, explain));
        signal.throwIfAborted();
        advance();
    }
    return holdPlanned(prepared);
}
async function prepareScan(entry, { inputs, scope, jobStart, signal }, explain) {
    let plan;
    try {
        const found = await findFiles(entry.selection, scope, signal);
        if (found.unmatched.length > 0)
            return endUnmatched(entry, found, await explain(found), inputs);
        const files = await readScanFiles(found.files, scope, signal);
        plan = planUpload(files, { ...inputs, jobStart });
        return { entry, plan: checkContents(plan, inputs.contentCheck) };
    }
    catch (error) {
        if (!(error instanceof StepError))
            throw error;
        return endNotSent(entry, plan, error);
    }
}
/** Ends a scan with patterns that match no file. That is an error, unless no pattern matches and `if-no-files-found` allows it. */
function endUnmatched(entry, { files }, error, { noFiles }) {
    if (files.length > 0 || noFiles === 'error')
        return endNotSent(entry, undefined, error);
    // The message contains the author's patterns.
    const skipped = cutWhole(error.message, MAX_HEADLINE_CHARACTERS);
    return { entry, plan: undefined, result: 'skipped', skipped };
}
/** Ends the planned scans if another one failed. */
function holdPlanned(scans) {
    const failed = scans.filter((scan) => 'result' in scan && scan.result === 'not-sent');
    if (failed.length === 0)
        return scans;
    const text = `Not tried, because other scans of the step are invalid: ${listLabels(failed)}.`;
    const error = new StepError('other-scans', text, []);
    return scans.map((scan) => ('result' in scan ? scan : endNotSent(scan.entry, scan.plan, error)));
}
/** Describes in a line each what several scans share, and probably by mistake: their key, or all of their files. */
function describeRepeats(scans) {
    const keys = listGroups(scans, ({ entry }) => entry.scanKey.toLowerCase());
    const files = listGroups(scans, ({ plan }) => (plan?.parts ?? [])
        .map(({ file }) => file.identity)
        .toSorted()
        .join());
    return [
        ...keys.map((same) => `${listLabels(same)} use the same scan key, ${same[0]?.entry.scanKey}. If they are different scans, give each its own key: the service may keep only one.`),
        ...files.map((same) => `${listLabels(same)} have the same files. If they are different scans, correct their paths.`),
    ];
}
/** The scans that have the same text, if it is not empty. A dry run needs no key, and a scan without a match has no file. */
function listGroups(scans, read) {
    const groups = Map.groupBy(scans, read);
    groups.delete('');
    return [...groups.values()].filter(({ length }) => length > 1);
}

;// CONCATENATED MODULE: external "node:https"
const external_node_https_namespaceObject = require("node:https");
;// CONCATENATED MODULE: ./lib/service/tunnel.js


/** The proxy could not be reached (`cause`), or its response to CONNECT opened no tunnel. */
class ProxyError extends Error {
    status;
    /** Its `Proxy-Authenticate`: what it asks for. */
    challenge;
    constructor(cause, status, challenge) {
        super(cause?.message ?? `the proxy responded with ${status}`, { cause });
        this.status = status;
        this.challenge = challenge;
    }
}
/**
 * Makes all connections of `agent` to the host of `url` go through tunnels (CONNECT, RFC 9110, section
 * 9.3.6), for http as well. Inside they are as without a proxy. `proxyAgent` connects to the proxy. `https-proxy-agent`
 * would hang with a silent proxy, and Node's proxyEnv leave sockets open and block timers (nodejs/node#62904).
 */
function tunnelThrough(proxy, proxyAgent, agent, url) {
    const connect = agent.createConnection.bind(agent);
    const path = nameHost(url);
    // From an object with headers, Node would take Host as the name of an https proxy's certificate (nodejs/node#37104).
    const sent = ['Host', path];
    if (proxy.authorization)
        sent.push('Proxy-Authorization', proxy.authorization);
    agent.createConnection = (options, settle) => {
        const given = { path, headers: sent, agent: proxyAgent, signal: options.ended };
        // The agent decides whether it is http or https.
        const request = (0,external_node_http_namespaceObject.request)(proxy.url, { method: 'CONNECT', ...given });
        request.once('error', (cause) => settle(new ProxyError(cause)));
        request.once('connect', ({ statusCode: status = 0, headers }, socket, head) => {
            // Any 2xx opens a tunnel (RFC 9110, section 9.3.6).
            if (status < 200 || status > 299) {
                socket.destroy();
                return settle(new ProxyError(undefined, status, headers['proxy-authenticate']));
            }
            // The service may have sent something already, such as the greeting of an SSH server.
            socket.unshift(head);
            const inside = { ...options, socket };
            settle(null, url.protocol === 'https:' ? connect(inside) : socket);
        });
        request.end();
    };
}

;// CONCATENATED MODULE: ./lib/service/agent.js





/** How long connecting to one of several addresses of a host may take: Node's 250 ms are too short (nodejs/node#54359). */
const ADDRESS_MS = 5000;
/**
 * Makes the agent of all requests to the host of `url`. Every request gets its own connection, so that no response can
 * belong to another request. All connections share one TLS context, because parsing the CA certificates takes 40 ms.
 * With a proxy, all connections are tunnels through it.
 */
function createAgent(url, tls, proxy) {
    (0,external_node_net_namespaceObject.setDefaultAutoSelectFamilyAttemptTimeout)(ADDRESS_MS);
    const agent = url.protocol === 'https:'
        ? new external_node_https_namespaceObject.Agent({ keepAlive: false, secureContext: createContext(tls) })
        : new external_node_http_namespaceObject.Agent({ keepAlive: false });
    if (proxy === undefined)
        return agent;
    // Only the service gets the client certificate.
    tunnelThrough(proxy, createAgent(proxy.url, { ca: tls.ca }), agent, url);
    return agent;
}
function createContext(tls) {
    // Systems list certificates more than once, and NODE_EXTRA_CA_CERTS, which 'default' has too, often names the same.
    const roots = new Set([...(0,external_node_tls_namespaceObject.getCACertificates)('default'), ...(0,external_node_tls_namespaceObject.getCACertificates)('system')]);
    if (tls.ca !== undefined)
        roots.add(tls.ca);
    return (0,external_node_tls_namespaceObject.createSecureContext)({ ...tls, ca: [...roots] });
}

;// CONCATENATED MODULE: external "node:url"
const external_node_url_namespaceObject = require("node:url");
;// CONCATENATED MODULE: ./lib/service/connection-error.js





/** What OpenSSL says of a peer that responds in plain HTTP. */
const PLAIN_HTTP = ['wrong version number', 'packet length too long', 'http request'];
/** The system has no route to an address. */
const UNROUTED = ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'];
/**
 * Reads an error of Node, OpenSSL or the tunnel. If the host has several addresses, the facts are those
 * of the preferred one, and the text names all.
 */
function readConnectionError(error) {
    if (error instanceof ProxyError) {
        const read = readConnectionError(toError(error.cause ?? error.message));
        const { status: proxyStatus, challenge: proxyChallenge } = error;
        return { ...read, isOfProxy: true, proxyStatus, proxyChallenge };
    }
    const errors = error instanceof AggregateError ? error.errors.map(toError) : [];
    const [first = readOne(error), ...others] = errors.map(readOne);
    const texts = new Set([first, ...others].map(({ text }) => text));
    const isWithoutIpv6 = [first, ...others].every((each) => each.isWithoutIpv6);
    return { ...first, text: [...texts].join('; '), isWithoutIpv6 };
}
function readOne(error) {
    const code = errorCode(error);
    // Node writes OpenSSL's errors as address, `error`, code, library, function, reason, source position.
    const [, openssl = ''] = error.message.split(':error:');
    const [, , , reason = explainNode(error, code)] = openssl.split(':');
    const alert = /SSL alert number (\d+)/.exec(openssl)?.[1];
    const address = 'address' in error ? String(error.address) : '';
    return {
        text: code === undefined || isSaid(code, reason) ? reason : `${reason} (${code})`,
        code,
        alert: alert === undefined ? undefined : Number(alert),
        isPlainHttp: PLAIN_HTTP.includes(reason),
        isOfProxy: false,
        proxyStatus: undefined,
        proxyChallenge: undefined,
        certificate: readCertificate(error.peer),
        isWithoutIpv6: (0,external_node_net_namespaceObject.isIPv6)(address) && UNROUTED.includes(code ?? ''),
    };
}
/** Whether a text has a code, or is what the code says: OpenSSL makes codes of its reasons. */
function isSaid(code, text) {
    return text.includes(code) || foldName(code).endsWith(foldName(text));
}
/** Returns the message of an error. Messages of Node that do not help users of the action are replaced. */
function explainNode({ message, host, cert, peer }, code = '') {
    if (message === 'socket hang up')
        return 'the other side closed the connection';
    const names = cert?.subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, '').split(', ');
    // Node's message lists only names of the host's kind. For an address it often lists none.
    if (names !== undefined)
        return `it is for ${listSome(names, 5)}, not for ${host}`;
    const { issuer } = readCertificate(peer);
    const isOfIssuer = issuer !== undefined && /SELF_SIGNED|^UNABLE_TO_/.test(code);
    // Node proposes a flag of its command line, which an action does not have. A fix proposes `ca-cert` instead.
    const [said = ''] = message.split('; if the root CA is installed locally', 1);
    return isOfIssuer ? `${said}, issued by '${issuer}'` : said;
}
function readCertificate(peer) {
    const known = peer ?? {};
    const { valid_from: validFrom, valid_to: validTo, issuer, fingerprint256 } = known;
    const name = issuer?.CN || issuer?.O;
    return {
        whole: peer?.raw && peer,
        validFrom,
        validTo,
        issuer: name === undefined ? undefined : String(name),
        fingerprint256,
    };
}

;// CONCATENATED MODULE: external "node:util"
const external_node_util_namespaceObject = require("node:util");
;// CONCATENATED MODULE: external "node:zlib"
const external_node_zlib_namespaceObject = require("node:zlib");
;// CONCATENATED MODULE: ./lib/service/decode-body.js


/** The longest body that is read, received and decompressed. */
const MAX_BODY_BYTES = 1024 * 1024;
/** These say that a body is not coded. Only `identity` is registered, but some frameworks write `none` or their charset. */
const NO_CODING = ['', 'identity', 'none', 'utf-8', 'utf8'];
/** The charsets of UTF-16 by their byte order marks. */
const UTF_16 = new Map([
    ['feff', 'utf-16be'],
    ['fffe', 'utf-16le'],
]);
/**
 * Decodes the text of a body by its Content-Encoding (RFC 9110, section 8.4) and its charset. Returns undefined if it
 * cannot be read: if its coding is neither gzip nor deflate (requests accept none), if it is longer than one that is read,
 * or with `fatal` if its bytes are no text in its charset. A NUL between other characters is in none: it is of UTF-16 or
 * UTF-32 that is not named.
 */
function decodeBody(headers, bytes, fatal = false) {
    const { 'content-encoding': coding = '', 'content-type': type } = headers;
    const isPlain = bytes.length === 0 || NO_CODING.includes(coding.trim().toLowerCase());
    try {
        const content = isPlain ? bytes : (0,external_node_zlib_namespaceObject.unzipSync)(bytes, { maxOutputLength: MAX_BODY_BYTES });
        const text = makeDecoder(type, content, fatal).decode(content);
        return fatal && hasInnerNul(text) ? undefined : text;
    }
    catch {
        return undefined;
    }
}
function hasInnerNul(text) {
    return text.split('\0').filter((part) => part.trim() !== '').length > 1;
}
/**
 * Makes the decoder of the charset that a Content-Type names, or of UTF-8 if it names none that is known. The byte order
 * mark says which UTF-16 it is: Java writes the other one than .NET. Without one it is not known.
 */
function makeDecoder(contentType = '', content, fatal) {
    const charset = /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1]?.toLowerCase();
    const order = UTF_16.get(content.toString('hex', 0, 2));
    try {
        return new external_node_util_namespaceObject.TextDecoder(charset === 'utf-16' ? order : charset, { fatal });
    }
    catch {
        return new external_node_util_namespaceObject.TextDecoder('utf-8', { fatal });
    }
}

;// CONCATENATED MODULE: ./lib/service/auth.js











/** How long an OIDC token serves, in milliseconds. GitHub's are valid for five minutes. */
const TOKEN_MS = 60_000;
const NO_SOURCE = 'The job may not request an OIDC token: ACTIONS_ID_TOKEN_REQUEST_URL or ACTIONS_ID_TOKEN_REQUEST_TOKEN is not set.';
const GITEA_FIX = 'Gitea has no OIDC tokens: use `token`.';
const PERMISSION_FIX = 'Give the job the permission `id-token: write`; of a reusable workflow, the job that calls it too.';
const FAILED_FIX = "Re-run the failed jobs later. On a runner of your own, check that it reaches GitHub's token service.";
/**
 * Makes the one function with which all uploads of a step authenticate. An OIDC token is fetched when it is needed, which
 * may take `limitMs`, and serves for a minute.
 */
function makeAuthenticate(credential, tls, limitMs, signal) {
    if (credential.kind === 'none')
        return async () => ({});
    const { header } = credential;
    if (credential.kind === 'token')
        return async () => ({ [header]: credential.value });
    let token;
    let fetchedAt = 0;
    return async () => {
        if (token === undefined || performance.now() >= fetchedAt + TOKEN_MS) {
            fetchedAt = performance.now();
            token = fetchToken(credential, tls, limitMs, signal);
            // After a failure, the next attempt asks again.
            token.catch(() => (token = undefined));
        }
        return { [header]: `${credential.prefix}${await token}` };
    };
}
async function fetchToken({ audience, source }, tls, limitMs, signal) {
    if (source === undefined) {
        const fix = process.env.GITEA_ACTIONS === undefined ? PERMISSION_FIX : GITEA_FIX;
        throw new StepError('oidc-permission', NO_SOURCE, fix);
    }
    const ended = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    try {
        // The request never settles if the response asks for another protocol (101).
        const token = await settleWithin(requestToken(source, audience, tls, ended), ended);
        if (isFieldValue(token))
            return token;
        throw new Error('the identity provider returned none that a header can carry');
    }
    catch (error) {
        signal.throwIfAborted();
        const { text: why } = readConnectionError(toError(error));
        const late = `the identity provider did not respond for ${limitMs / 1000} s`;
        const problem = `The OIDC token could not be fetched: ${ended.aborted ? late : why}`;
        throw new StepError('oidc-failed', problem, FAILED_FIX);
    }
}
/** Requests a token as the toolkit's `getIDToken` does, but follows no redirect and repeats nothing. Returns '' if there is none. */
async function requestToken({ url, token, proxy }, audience, tls, ended) {
    const parsedUrl = new URL(url);
    parsedUrl.search += `&audience=${encodeURIComponent(audience)}`;
    // Only the service gets the client certificate.
    const agent = createAgent(url, { ca: tls.ca }, proxy);
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
    const own = { agent, headers, ended, signal: ended };
    const options = { ...(0,external_node_url_namespaceObject.urlToHttpOptions)(parsedUrl), ...own };
    // get() would choose an agent itself. The module does not matter: the agent decides whether it is http or https.
    const info = { options, parsedUrl, httpModule: external_node_http_namespaceObject };
    const { message } = await new lib_HttpClient().requestRaw(info, null);
    if (message.statusCode !== 200) {
        message.destroy();
        throw new Error(`the identity provider responded with ${message.statusCode}`);
    }
    // readBody() would never settle if the body is truncated.
    let text = '';
    for await (const chunk of message.setEncoding('utf8')) {
        text += String(chunk);
        if (text.length > MAX_BODY_BYTES)
            break;
    }
    const parsed = tryJson(text);
    const value = isObject(parsed) && 'value' in parsed ? String(parsed.value) : '';
    mask(value);
    return value;
}

// EXTERNAL MODULE: ./node_modules/form-data/lib/form_data.js
var form_data = __nccwpck_require__(6454);
var form_data_default = /*#__PURE__*/__nccwpck_require__.n(form_data);
;// CONCATENATED MODULE: ./lib/service/body.js





/**
 * Frames the form of a scan key and of open files by their parts, with form-data. A random marker replaces the content of
 * each file; the bytes between the markers are the framing. The scan key comes first, as a plain field.
 */
function frameBody(files, scanKey) {
    const form = new (form_data_default())();
    form.append(SCAN_KEY_PART, scanKey);
    const marked = Array.from(files, ([part, file]) => {
        const marker = Buffer.from((0,external_node_crypto_namespaceObject.randomUUID)());
        form.append(part, marker, { filename: file.name, contentType: FILE_CONTENT_TYPE });
        return { file, marker };
    });
    const segments = [];
    let rest = form.getBuffer();
    for (const { file, marker } of marked) {
        const position = rest.indexOf(marker);
        segments.push(rest.subarray(0, position), file);
        rest = rest.subarray(position + marker.length);
    }
    segments.push(rest);
    const sizes = segments.map((each) => (Buffer.isBuffer(each) ? each.length : each.size));
    const length = sizes.reduce((sum, bytes) => sum + bytes, 0);
    return { contentType: `multipart/form-data; boundary=${form.getBoundary()}`, length, segments };
}
/** How much is read and digested at a time, in bytes. It fits in the cache of a core. */
const BUFFER_BYTES = 512 * 1024;
/** How much is written at a time, in bytes. A slow connection takes it within the stall limit. */
const PIECE_BYTES = 64 * 1024;
/**
 * Writes the body once, in pieces of at most 64 KiB, one after the other. Returns the SHA-256 digest (hexadecimal) of
 * each file in it, in order. Of each file as many bytes are sent as it had when it was opened. Rejects with a StepError
 * before the closing boundary if a file has changed, or if other bytes were sent than were inspected. Also rejects with
 * the errors of `write`.
 */
async function writeBody(body, write) {
    const digests = new Map();
    for (const [index, segment] of body.segments.entries()) {
        // None of the files may have changed before the closing boundary completes the body.
        if (index === body.segments.length - 1) {
            for (const [file, digest] of digests) {
                checkUnchanged(file, await orExplain(file, file.handle.stat({ bigint: true })), digest);
            }
        }
        if (Buffer.isBuffer(segment))
            await writePieces(segment, write);
        else
            digests.set(segment, await sendFile(segment, write));
    }
    return [...digests.values()];
}
async function writePieces(bytes, write) {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
        await write(bytes.subarray(start, start + PIECE_BYTES));
    }
}
/** Sends a file through one buffer, so that memory use does not depend on its size. Returns its digest. */
async function sendFile(file, write) {
    const hash = (0,external_node_crypto_namespaceObject.createHash)('sha256');
    const buffer = Buffer.allocUnsafeSlow(Math.min(BUFFER_BYTES, file.size));
    for (let position = 0; position < file.size;) {
        const wanted = Math.min(buffer.length, file.size - position);
        const { bytesRead } = await orExplain(file, file.handle.read(buffer, 0, wanted, position));
        if (bytesRead === 0)
            throw explainChange(file, 'became shorter');
        const chunk = buffer.subarray(0, bytesRead);
        hash.update(chunk);
        await writePieces(chunk, write);
        position += bytesRead;
    }
    return hash.digest('hex');
}
/** Returns what the system says of a file, and throws a StepError in place of the system's errors. */
async function orExplain({ displayPath }, reading) {
    try {
        return await reading;
    }
    catch (error) {
        throw explainReadError(error, displayPath);
    }
}

;// CONCATENATED MODULE: ./lib/service/hold-writes.js
/** How long a failed write waits for the end of its connection, in milliseconds. */
const HOLD_MS = 1000;
/**
 * Makes a failed write of `socket` wait until what has already arrived is read. A server that refuses early
 * closes the connection, so that the next write fails, and Node then destroys the socket before it reads the
 * response (nodejs/node#54366). The write fails with its own error once the socket has ended or is closed.
 */
function holdFailedWrites(socket) {
    const write = socket._write.bind(socket);
    const writeAll = socket._writev?.bind(socket);
    socket._write = (chunk, encoding, done) => write(chunk, encoding, hold(socket, done));
    if (writeAll === undefined)
        return;
    socket._writev = (chunks, done) => writeAll(chunks, hold(socket, done));
}
function hold(socket, done) {
    return (error) => {
        if (!error || socket.destroyed || socket.readableEnded)
            return done(error);
        let isHeld = true;
        const release = () => {
            if (!isHeld)
                return;
            isHeld = false;
            clearTimeout(timer);
            done(error);
        };
        // Timers run before sockets are read. Without another turn, a loop that was blocked would read nothing.
        const timer = setTimeout(() => setImmediate(release), HOLD_MS);
        socket.once('end', release).once('close', release);
    };
}

;// CONCATENATED MODULE: ./lib/service/request.js




/**
 * Frameworks label any body with the type that is asked for first, and those that negotiate need other types to choose
 * from. Nothing here matches text/html: where it is accepted, Spring Boot sends an HTML page in place of its message, and
 * for a wildcard of all types Rails takes the request for a browser's.
 */
const ACCEPT = 'application/json, text/json, text/plain, application/problem+json;q=0.9, application/*;q=0.1, text/xml;q=0.1';
/** The version in the User-Agent header; package.json says the same. */
const VERSION = '1.0.0';
/** How much of a response's headers is read. Gateways send policies and cookies beyond Node's 16 KiB. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Creates a trace id (W3C Trace Context, section 3.2.2.3): 32 hexadecimal digits. */
function createTraceId() {
    return (0,external_node_crypto_namespaceObject.randomBytes)(16).toString('hex');
}
/** Makes the headers of every request. Each call creates a new span of the trace, which is marked as sampled. */
function makeCommonHeaders(traceId) {
    return {
        Accept: ACCEPT,
        'Accept-Encoding': 'identity',
        'User-Agent': `scan-upload-action/${VERSION}`,
        traceparent: `00-${traceId}-${(0,external_node_crypto_namespaceObject.randomBytes)(8).toString('hex')}-01`,
    };
}
/**
 * Opens the request, which sends its headers once it is connected. `ended` has to fire when it has ended. Throws for
 * what node:http refuses to send.
 */
function openRequest(spec, ended) {
    const options = {
        ended,
        method: 'POST',
        agent: spec.agent,
        maxHeaderSize: MAX_HEADER_BYTES,
        headers: {
            ...spec.headers,
            'Content-Type': spec.body.contentType,
            'Content-Length': spec.body.length,
            ...(spec.expectContinue && { Expect: '100-continue' }),
        },
    };
    // The agent decides whether it is http or https.
    const request = (0,external_node_http_namespaceObject.request)(spec.url, options);
    // With Expect, Node sends the headers at once.
    if (!spec.expectContinue)
        request.flushHeaders();
    return request;
}
/**
 * Calls `onReady` once the connection can carry the request: connected and, for https, secured. It says whether the server
 * requested a client certificate: only then has it algorithms for its signature in common with this side.
 */
function followConnection(request, onReady) {
    request.once('socket', (socket) => {
        // The system has refused at once, for example because it has no route to the host. The error event follows.
        if (socket.destroyed)
            return;
        // A tunnel's socket is connected already, but its TLS handshake is still to come.
        const isSecure = request.protocol === 'https:';
        const onOpen = () => {
            // Writes are not held before: an alert that ends the TLS handshake is the error of a write.
            holdFailedWrites(socket);
            onReady(socket instanceof external_node_tls_namespaceObject.TLSSocket && socket.getSharedSigalgs().length > 0);
        };
        if (!isSecure && !socket.connecting)
            return onOpen();
        // When Node reports that a certificate is not trusted, it has destroyed the socket, and with it the certificate.
        socket.prependOnceListener('secure', () => {
            const peer = socket instanceof external_node_tls_namespaceObject.TLSSocket ? socket.getPeerCertificate() : undefined;
            socket.prependOnceListener('error', (error) => Object.assign(error, { peer }));
        });
        socket.once(isSecure ? 'secureConnect' : 'connect', onOpen);
    });
}

;// CONCATENATED MODULE: ./lib/upload/schedule.js


const MIN_WAIT_MS = 5000;
const MAX_WAIT_MS = 60_000;
const GROWTH = 3;
const MIN_RECONNECT_MS = 1000;
/** The message of scans that never started. That of the scan which was asked to wait says how long the wait is. */
const TOO_LONG = 'Not tried, because the service asked to wait (Retry-After) longer than `timeout-seconds` allows.';
/** Returns why no retry follows the last of `attempts`, which all count, however they ended; undefined if one may. */
function limitRetries(situation, attempts, retries) {
    const { retries: most } = findRow(situation);
    if (most === 0)
        return 'final';
    return attempts > Math.min(most, retries) ? 'retries' : undefined;
}
/**
 * Returns how long to wait before retry k, in milliseconds. `chance` is a random number in [0, 1): the wait is uniform in
 * [lo, hi], lo = max(5 s, Retry-After), hi = max(2 lo, min(60 s, 5 s x 3^k)). Retry-After is a lower bound, because
 * clients that wait exactly that long all come back at once. The first retry after an attempt without a response waits
 * for 1 to 3 s.
 */
function chooseWait(response, retry, chance) {
    const isReconnect = response === undefined && retry === 1;
    const low = isReconnect ? MIN_RECONNECT_MS : Math.max(MIN_WAIT_MS, response?.retryAfterMs ?? 0);
    const grown = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * GROWTH ** retry);
    const high = isReconnect ? GROWTH * low : Math.max(2 * low, grown);
    return low + chance * (high - low);
}
/**
 * Returns until when all uploads of a step are delayed. A response asked to wait for `askedMs`, and its own upload waits
 * for `waitMs`; until now, all were delayed until `delayedUntil`. A delay that is long enough is not extended: if each
 * response extended it, every step would wait for about the longest possible time, and all steps would retry at once.
 */
function extendDelay(delayedUntil, askedMs, waitMs, nowMs) {
    return askedMs > 0 && delayedUntil < nowMs + askedMs ? nowMs + waitMs : delayedUntil;
}
/** Decides for all uploads of a step when attempts may start. */
class Schedule {
    #deadline;
    #stopper = new AbortController();
    /** Ends all waits. It fires with `signal`, or after `stop`. */
    #stopped;
    /** Fires at the time limit of the step, or if it is cancelled. */
    signal;
    #delayedUntil = 0;
    /** The longest wait that any response asked for, in milliseconds. */
    askedMs = 0;
    constructor({ deadline, signal }) {
        this.#deadline = deadline;
        this.signal = signal;
        this.#stopped = AbortSignal.any([signal, this.#stopper.signal]);
    }
    /** Milliseconds until the step's time limit; negative after it. */
    get remainingMs() {
        return this.#deadline - performance.now();
    }
    /** Delays all uploads after a response that asks to wait for `askedMs`, whose own upload waits for `waitMs`. */
    delayAll(askedMs, waitMs) {
        this.#delayedUntil = extendDelay(this.#delayedUntil, askedMs, waitMs, performance.now());
        this.askedMs = Math.max(this.askedMs, askedMs);
    }
    /** Starts no further uploads because of `reason`. Those that have started get no further attempts. */
    stop(reason) {
        this.#stopper.abort(reason);
    }
    /**
     * Returns why no attempt may start after `waitMs`; undefined if one may. Throws the error that ended the step if nobody
     * expected it.
     */
    findWhyLast(waitMs) {
        const reason = this.signal.reason;
        if (reason instanceof CancelledError)
            return 'cancelled';
        if (reason instanceof TimeLimitError)
            return 'time';
        this.signal.throwIfAborted();
        if (this.#stopped.aborted)
            return 'stopped';
        return waitMs > 0 && waitMs >= this.remainingMs ? 'time' : undefined;
    }
    /** Waits for `ms`, and longer while all uploads are delayed. Returns and throws the same as `findWhyLast`. */
    async wait(ms) {
        const ownEnd = performance.now() + ms;
        for (;;) {
            const waitMs = Math.max(ownEnd, this.#delayedUntil) - performance.now();
            const whyLast = this.findWhyLast(waitMs);
            if (whyLast !== undefined || waitMs <= 0)
                return whyLast;
            await sleep(waitMs, this.#stopped);
        }
    }
    /** Waits before the first attempt of an upload while all are delayed. Throws an error that says why none may start. */
    async waitForStart() {
        if ((await this.wait(0)) === undefined)
            return;
        this.#stopped.throwIfAborted();
        throw new StepError('other-scans', TOO_LONG, []);
    }
}
/** Resolves after `ms`, or when `signal` fires. */
async function sleep(ms, signal) {
    const { promise, resolve } = Promise.withResolvers();
    const end = () => resolve();
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    await promise;
    signal.removeEventListener('abort', end);
    clearTimeout(timer);
}

;// CONCATENATED MODULE: ./lib/upload/standing.js
/** After an acceptance, how many rejections in a row mean that the credential is no longer valid. */
const MAX_REJECTIONS = 3;
/** Remembers whether the service accepted the credential that the uploads of a step share. */
class Standing {
    /** The first scan that it accepted. */
    accepted;
    #rejections = 0;
    accept(scan) {
        this.accepted ??= scan;
        this.#rejections = 0;
    }
    /**
     * Counts a rejection, and returns whether the credential is wrong for all scans. If it was accepted before, it may only
     * lack the right for one scan, until several rejections in a row show that it was revoked.
     */
    reject() {
        this.#rejections += 1;
        return this.accepted === undefined || this.#rejections >= MAX_REJECTIONS;
    }
}

;// CONCATENATED MODULE: ./lib/outcomes/evidence.js



function readEvidence(last, task, accepted) {
    const { headers = {}, says = [], text = '', link = '', kind = 'other' } = last.response ?? {};
    const { location = link, 'www-authenticate': challenge = '' } = headers;
    const whole = text.toLowerCase();
    const isOfServer = isForeign({ kind });
    return {
        task,
        last,
        accepted,
        error: findConnectionError(last),
        headers,
        lead: readTarget({ location }, task.url),
        challenge,
        text: whole,
        lines: listLines(isOfServer ? whole : says.join('\n').toLowerCase()),
        says,
        isForeign: isOfServer,
    };
}

;// CONCATENATED MODULE: ./lib/outcomes/judge.js




/** What frameworks say, here in lower case, of a body over their limit if the status does not say it. */
const TOO_LARGE = [
    /\b(?:body|content|data|entity|files?|message|payload|request|upload) (?:is |was )?(?:too (?:large|big)|larger than)\b/,
    /\b(?:size|length) (?:limit|.{0,40}\bexceeded)\b|\bexceed(?:s|ed)\b.{0,60}\b(?:size|length|maximum|data_upload_max)/,
];
/** What servers say, in lower case, of headers over their limit. */
const HEADERS_TOO_LARGE = /\bheaders?\b.{0,40}\b(?:too (?:big|large|long)|exceeds)\b/;
/** What servers say, in lower case, if they want a client certificate. */
const CLIENT_CERTIFICATE = ['client certificate', 'ssl certificate', 'post-handshake auth'];
/** What servers say if they expect TLS; `https://` may only be a link. */
const TLS = /\b(?:https(?!:)|tls|ssl)\b/;
/** What Azure App Service says after 230 s, while the service goes on. */
const TIMED_OUT = '500 - the request timed out.';
/** A gateway sent the request to the service, but got no whole response. */
const HAD_REQUEST = [
    'connection termination',
    'backend fetch failed',
    'server closed connection',
    'error reading from remote server',
];
/** What is wrong with a certificate: how codes of OpenSSL begin, and one of Node. */
const judge_CERTIFICATE = 'CERT_ CRL_ DEPTH_ZERO_ SELF_SIGNED UNABLE_TO_ INVALID_CA INVALID_PURPOSE PATH_LENGTH_ HOSTNAME_MISMATCH ERR_TLS_CERT_'.split(' ');
/** Statuses of gateways only; the service behind them may have the whole body. */
const GATEWAY_FAILED = [502, 520, 521, 522, 523];
/** The first row that has the status, and whose condition holds, names the situation; without one it is `refused`. */
const REFUSALS = [
    ['gateway-timeout', [504, 524]],
    ['gateway-timeout', [503, ...GATEWAY_FAILED], hadRequest],
    ['gateway-timeout', [500], ({ text }) => text.includes(TIMED_OUT)],
    ['gateway-failed', GATEWAY_FAILED],
    ['unavailable', [425, 503]],
    ['headers-too-large', [431]],
    ['headers-too-large', [400], ({ text }) => HEADERS_TOO_LARGE.test(text)],
    ['too-large', [413]],
    ['too-large', [400, 404, 500], saysTooLarge],
    ['service-error', [500], hasProblem],
    ['service-failed', [500]],
    ['certificate-asked', [400, 403], asksForCertificate],
    ['tls-asked', [400], asksForTls],
    ['input-refused', [400, 422]],
    ['unauthorized', [401]],
    ['page-forbidden', [403], judge_isPage],
    ['forbidden', [403]],
    ['not-found', [404]],
    ['gone', [410]],
    // They are about the address or the method, or servers of files have them for any POST (RFC 9110, section 15).
    ['address-refused', [405, 415, 421, 501]],
    ['request-timeout', [408]],
    ['conflict', [409]],
    ['rate-limited', [429]],
];
/** Statuses with which a proxy says that it could not reach the service; with others it refuses to connect. */
const UNREACHED = [500, 502, 503, 504];
/** Statuses with which a proxy refuses a credential; tinyproxy has the first. */
const judge_PROXY_CREDENTIAL = [401, 407];
/** What an accepted scan disproves, and what only follows from it. */
const DISPROVED = [
    ...['address', 'form', 'host', 'stage', 'front'],
    ...['credential', 'bare-credential', 'audience', 'issuer', 'subject', 'right'],
    ...['key-header', 'scheme', 'other-scheme', 'token-form', 'sign-in'],
];
const PROVED = ['accepted-address', 'accepted-credential', 'accepted-front'];
/** Finds what became of an attempt, and why; undefined if the service accepted the upload. */
function judge(evidence) {
    const situation = findSituation(evidence);
    return situation && { situation, causes: findCauses(situation, evidence) };
}
/** What was said ends the guess, unless the step disproves it. */
function findCauses(situation, evidence) {
    const { hears = [], causes, stated = causes } = findRow(situation);
    const out = evidence.accepted === undefined ? PROVED : DISPROVED;
    const strike = (likely) => likely.filter((cause) => !out.includes(cause));
    const heard = hears.map((listen) => strike(listen(evidence))).find((found) => found.length > 0);
    return heard ?? strike(hasWords(evidence) ? stated : causes);
}
/** Finds what became of an attempt; undefined if the service accepted the upload. */
function findSituation(evidence) {
    const { last, task, error } = evidence;
    const { response, failure, state } = last;
    const isProxied = task.inputs.proxy !== undefined;
    if (response !== undefined)
        return judgeResponse(response, evidence);
    if (failure?.kind === 'connection')
        return judgeConnection(error, state, isProxied);
    if (failure?.kind === 'step')
        return failure.error.situation;
    if (failure?.kind !== 'limit')
        return 'unexpected';
    if (state === 'connecting')
        return isProxied ? 'proxy-failed' : 'connect-failed';
    return state === 'waiting' ? 'response-silent' : 'stalled';
}
/** Why a 2xx response does not count; undefined if it does: it is whole and confirms, and the connection took the body. */
function judgeSuccess({ kind, statedFailure, complete }, { digests, failure }) {
    if (digests !== undefined && complete && kind === 'success')
        return undefined;
    // A text that was cut may only begin like an error.
    if (complete && statedFailure !== undefined)
        return 'success-refused';
    if (kind === 'web-page')
        return 'web-page';
    if (failure?.kind === 'step')
        return failure.error.situation;
    // Over TLS, the last piece may have been handed over, but its write failed or did not end.
    if (digests === undefined)
        return 'response-early';
    if (failure?.kind === 'limit')
        return 'stalled';
    return complete || failure?.kind === 'too-long' ? 'response-unreadable' : 'connection-broken';
}
function judgeResponse(response, evidence) {
    const { status } = response;
    if (isChallenge(response))
        return 'challenge';
    if (verdict_isSuccess(status))
        return judgeSuccess(response, evidence.last);
    if (status >= 300 && status < 400)
        return 'redirect';
    const found = REFUSALS.find(([, statuses, holds = always]) => statuses.includes(status) && holds(evidence));
    return found?.[0] ?? 'refused';
}
function always() {
    return true;
}
/** Words of a problem are the service's own. */
function hadRequest(evidence) {
    const { text, last } = evidence;
    return last.isSent && !hasProblem(evidence) && HAD_REQUEST.some((said) => text.includes(said));
}
function hasProblem({ last: { response } }) {
    return response?.problem !== undefined;
}
function judge_isPage({ last: { response } }) {
    return response?.kind === 'web-page';
}
function saysTooLarge({ text }) {
    return TOO_LARGE.some((said) => said.test(text));
}
function asksForCertificate({ isForeign, text }) {
    return isForeign && CLIENT_CERTIFICATE.some((said) => text.includes(said));
}
function asksForTls({ isForeign, text, task: { url } }) {
    return url.protocol === 'http:' && isForeign && TLS.test(text);
}
/** What an error of the connection means without a response. */
function judgeConnection({ code = '', alert, isOfProxy, proxyStatus }, state, isProxied) {
    const begins = (starts) => starts.some((each) => code.startsWith(each));
    if (proxyStatus !== undefined) {
        if (judge_PROXY_CREDENTIAL.includes(proxyStatus))
            return 'proxy-credential';
        return UNREACHED.includes(proxyStatus) ? 'proxy-failed' : 'proxy-refused';
    }
    if (begins(judge_CERTIFICATE))
        return 'certificate';
    if (isOfProxy === true)
        return 'proxy-failed';
    if (isClientAlert(alert))
        return 'client-certificate';
    if (begins(['ENOTFOUND', 'EAI_']))
        return 'name-unknown';
    const isTls = state === 'connecting' && begins(['EPROTO', 'ERR_SSL_', 'ERR_TLS_']);
    // Response headers that end too early are a broken connection, not another protocol.
    const isHttp = !code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE';
    if (isTls || !isHttp)
        return 'other-protocol';
    if (!BEFORE_REQUEST.includes(state))
        return 'connection-broken';
    // A proxy ends its tunnel if it cannot connect. Windows has a code of its own.
    const isClosed = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(code);
    return isProxied && isClosed ? 'proxy-failed' : 'connect-failed';
}
/** Alerts with which a service rejects a client certificate, or asks for one (RFC 8446, section 6.2; TLS 1.2: 40). */
function isClientAlert(alert = 0) {
    return (alert >= 40 && alert <= 49) || alert === 116;
}

;// CONCATENATED MODULE: ./lib/service/explanation.js







/** The longest text that is shown, in characters; what a success says has no more together. */
const MAX_EXPLANATION_CHARACTERS = 1500;
/** The longest error of a field or of a list, so that one does not take the place of all others. */
const MAX_FIELD_ERROR_CHARACTERS = 200;
const MAX_FIELD_CHARACTERS = 100;
/** How many lines are shown of a text, and of a success in JSON. */
const MAX_TEXT_LINES = 2;
const MAX_JSON_LINES = 6;
// Names of members, as `foldName` writes them.
const OTHER_MAPS = 'violations invalidparams modelstate fielderrors issues constraints'.split(' ');
/** Members with field errors, of which an object is a map from fields to messages. */
const MAPS = [...ERROR_LISTS, ...OTHER_MAPS];
const OTHER_TEXTS = 'message msg defaultmessage errordescription errormessage description reason title error details';
/** Members that say what happened, the most specific first. */
const TEXTS = ['detail', ...MAPS, ...OTHER_TEXTS.split(' '), 'embedded'];
/** Members that name the field of an error. */
const FIELDS = 'field path instancepath propertypath propertyname property param loc pointer name'.split(' ');
/** What is shown of a success besides its sentences. */
const STATEMENTS = ['status', 'state', 'result', 'code', 'message', 'id'];
/** Words with which error pages fill their titles, and products (`nginx/1.22.1`). */
const FILLER = /\b(?:https?|status|error|code|server|an?|has|occurred|message|type|report|detail)\b|^[\w-]+\/v?[\d.]+$/gi;
const SENTENCE = /\S\s\S/;
/** So many words of a page are a sentence, even without a full stop. */
const SENTENCE_WORDS = 4;
/** How a page names the id with which its operators find the request: `Your support ID is: 17`, `Reference #1a.7`. */
const SUPPORT_ID = /\b(?:x?id|reference|incident)\b[\w ]{0,12}[:#=]\W{0,3}\w*\d/i;
/** A word that may be a token or a signed address. */
const LONG_WORD = /\S{40}/;
/**
 * Returns what a refusal says, the most important text first: a problem's whole detail, field errors, other texts of
 * JSON, what a page says, or the first lines of a text, and then what its challenge says. Tags, and what only repeats the
 * status, are left out.
 */
function readExplanation(status, body, challenge = '') {
    const known = listTexts(body.value)
        .map((text) => selectLines([text], status).join('\n'))
        .filter((text) => text !== '');
    const said = known.length > 0 ? known : readFirst(status, body);
    const texts = new Set([...said, ...selectLines([findDescription(challenge)], status)]);
    return Array.from(texts, (text) => cutWhole(text, MAX_EXPLANATION_CHARACTERS));
}
/**
 * Returns what a success says: of JSON some members and sentences, of a text the first lines. It warns of failures that
 * another member overrules, and all that it says is a warning beside a member that is false (`"imported": false`).
 */
function readConfirmation(status, body) {
    const { value } = body;
    const select = (texts) => {
        const lines = selectLines(texts, status).filter(isShown);
        return cutLines(lines.slice(0, MAX_JSON_LINES), MAX_EXPLANATION_CHARACTERS);
    };
    if (!isObject(value))
        return { says: select(readFirst(status, body)), warnings: [] };
    const members = Object.entries(value);
    // Of a success, these are overruled.
    const overruled = listFailures(value);
    const isDoubtful = members.some(([name, member]) => member === false && !isOfFailure(name));
    const names = new Set(overruled.map(({ name }) => name));
    const others = members.filter(([name]) => !names.has(name));
    const { certain = [], doubted = [] } = Object.groupBy(others, ([name]) => isDoubtful && foldName(name) !== 'id' ? 'doubted' : 'certain');
    const warned = members.filter(([name]) => foldName(name) === 'warnings');
    const warnings = [
        ...overruled.flatMap(describeOverruled),
        ...warned.flatMap(([, member]) => listSentences(member)),
        ...doubted.flatMap(listStatements),
    ];
    return { says: select(certain.flatMap(listStatements)), warnings: select(warnings) };
}
/** A member as `name: value`; one with several texts has several lines, each of which repeats its name. */
function describeOverruled({ name, value }) {
    const label = joinFields([name]);
    if (!isObject(value))
        return [`${label}: ${String(value)}`];
    const texts = listTexts({ [name]: value });
    return texts.length > 0 ? texts.map((text) => `${label}: ${text}`) : [label];
}
/** Returns what a page says, or the first lines of a text, or the first sentences of JSON unless it cannot be read. */
function readFirst(status, body) {
    const { type, text, value, isRead } = body;
    if (!isRead)
        return [];
    if (text.startsWith('<') && isWebPage(type, text))
        return readPage(status, text);
    const texts = isObject(value)
        ? listSentences(value).filter(isShown)
        : listLines(readMarkup(text, UNSHOWN_ELEMENTS));
    return [...new Set(selectLines(texts, status))].slice(0, MAX_TEXT_LINES);
}
/**
 * Returns the title of a page, unless it repeats the status, and the first sentence that does not repeat the title. A page
 * without both has its first text. The line with an id for its operators follows.
 */
function readPage(status, text) {
    const lines = selectLines([readMarkup(text)], status);
    const titles = selectLines([joinWhiteSpace(findTitle(text))], status);
    const known = new Set(titles.flatMap((title) => listWords(title, status)));
    // What is above the main heading may be navigation, or a word on cookies.
    const main = selectLines([readMarkup(text.slice(Math.max(0, text.search(/<h1\b/i))))], status);
    const sentence = [...main, ...lines].find((line) => {
        const own = listWords(line, status).filter((word) => !known.has(word)).length;
        return own >= SENTENCE_WORDS ? !line.endsWith(':') : own > 1 && /[.!]$/.test(line);
    });
    const said = [...titles, sentence].filter((line) => line !== undefined);
    const first = said.length > 0 ? said : lines.slice(0, 1);
    return [...new Set([...first, ...lines.filter((line) => SUPPORT_ID.test(line)).slice(0, 1)])];
}
/** The words of a line in lower case, without marks and the status. */
function listWords(line, status) {
    const words = joinWhiteSpace(line.toLowerCase().replaceAll(/[^\p{L}\p{N}\s]/gu, ''));
    return words.split(' ').filter((word) => word !== '' && word !== String(status));
}
/** What a member at the root of a success says. */
function listStatements([name, value]) {
    if (typeof value !== 'string' && typeof value !== 'number')
        return [];
    const isNamed = STATEMENTS.includes(foldName(name)) && !SENTENCE.test(String(value));
    return isNamed ? [`${name}: ${value}`] : listSentences(value, isUnshownName(name));
}
/** The texts of a value that are sentences, unless the name of their member, which is read once, leaves them out. */
function listSentences(value, isUnshown = false) {
    if (typeof value === 'string')
        return SENTENCE.test(value) && !isUnshown ? [value] : [];
    if (!isObject(value))
        return [];
    if (Array.isArray(value))
        return value.flatMap((entry) => listSentences(entry, isUnshown));
    return Object.entries(value).flatMap(([name, member]) => listSentences(member, isUnshownName(name)));
}
/** Whether the texts of a member with this name say nothing, or may be credentials. */
function isUnshownName(name) {
    return foldName(name) === 'type' || isCredentialMember(name);
}
/** Whether a line of a success may be shown: it has no JSON, and no word that may be a token. */
function isShown(line) {
    return !line.includes('{') && !LONG_WORD.test(line);
}
/** The texts of a JSON value that say what happened, the most specific first, a field error as `field: message`. */
function listTexts(value, field = '') {
    if (typeof value === 'string') {
        return [field.trim() === '' ? value : cutError(`${field}: ${value.trim()}`)];
    }
    if (!isObject(value))
        return [];
    if (Array.isArray(value)) {
        return value.flatMap((entry) => listTexts(entry, field || findField(entry)));
    }
    const members = new Map(listMembers(value));
    const read = TEXTS.filter((name) => members.has(name)).map((name) => {
        const member = members.get(name);
        const texts = MAPS.includes(name)
            ? listFieldErrors(member, field).map(cutError)
            : listTexts(member, field);
        return { name, texts };
    });
    const known = read.filter(({ texts }) => texts.length > 0);
    // Beside a detail or field errors, a title only says that there are some.
    const hasMore = known.some(({ name }) => ['detail', ...MAPS].includes(name));
    const said = known.flatMap(({ name, texts }) => (hasMore && name === 'title' ? [] : texts));
    if (said.length > 0)
        return said;
    // Other texts may be tokens, so only lists and objects are read. No member is read twice: that would double the time
    // with each level.
    const others = Object.entries(value).filter(([name, member]) => isObject(member) && !TEXTS.includes(foldName(name)));
    return others.flatMap(([name, member]) => listTexts(member, joinFields([field, name])));
}
/** The texts of a list of errors, or of an object whose members are fields. */
function listFieldErrors(value, field) {
    if (!isRecord(value))
        return listTexts(value, field);
    return Object.entries(value).flatMap(([name, member]) => listTexts(member, joinFields([field, name])));
}
function cutError(text) {
    return cutText(text, MAX_FIELD_ERROR_CHARACTERS);
}
/** Returns the field that an entry in a list of errors names as a text, or as the parts of a path. */
function findField(entry) {
    if (!isObject(entry))
        return '';
    const source = 'source' in entry && isObject(entry.source) ? entry.source : entry;
    const members = new Map(listMembers(source));
    const name = FIELDS.map((each) => members.get(each)).find((each) => each !== undefined);
    return joinFields([name]);
}
/** Joins the names of a path. A long one is cut, because each text below it repeats it. */
function joinFields(names) {
    const path = names.flat().filter((name) => name !== '' && !isObject(name));
    return cutText(path.join('.'), MAX_FIELD_CHARACTERS);
}
/** The lines of texts that say more than the status. */
function selectLines(texts, status) {
    return texts
        .flatMap(listLines)
        .map((line) => cutText(joinWhiteSpace(line), MAX_EXPLANATION_CHARACTERS))
        .filter((line) => !isStatus(line, status));
}
/** Whether a text only repeats the status of its response: `HTTP Status 404 – Not Found`. */
function isStatus(text, status) {
    const name = external_node_http_namespaceObject.STATUS_CODES[status] ?? '';
    const rest = text.toLowerCase().replace(name.toLowerCase(), '').replace(String(status), '');
    return !/\p{L}|\d\d/u.test(rest.replace(FILLER, ''));
}

;// CONCATENATED MODULE: ./lib/service/response.js









/** How JSON begins, even if it does not parse. */
const JSON_START = /^(?:\{|\[\s*[{["])/;
/** The longest object of a success that is kept for the file of results, in bytes. */
const MAX_OBJECT_BYTES = 8 * 1024;
/** Keeps a response's body: of a success only a whole one counts, of a refusal any part may say why. */
class ResponseReader {
    response;
    /** It is one buffer, because a response may arrive in a million pieces. */
    #kept = Buffer.alloc(MAX_BODY_BYTES);
    #bytes = 0;
    constructor(response) {
        this.response = response;
    }
    get isSuccessful() {
        return verdict_isSuccess(this.response.statusCode ?? 0);
    }
    /** Keeps the next bytes. Returns false once the body is longer than one that is read. */
    take(chunk) {
        chunk.copy(this.#kept, this.#bytes);
        this.#bytes += chunk.length;
        return this.#bytes <= this.#kept.length;
    }
    /** Returns what is known of the response by the bytes received so far. */
    conclude(complete) {
        const { statusCode: status = 0, headers } = this.response;
        // A body that confirms an upload is decoded without any loss. Of any other, as much as possible is shown.
        const isStrict = complete && this.isSuccessful;
        const bytes = this.#kept.subarray(0, this.#bytes);
        const text = decodeBody(headers, bytes, isStrict);
        return readResponse({ status, headers, text, complete });
    }
}
/** Returns what is known of a response. What is judged is what is shown. */
function readResponse({ text, ...raw }) {
    const { status, headers } = raw;
    const body = readBody(readType(headers['content-type']), text);
    const verdict = readVerdict(status, body);
    const said = { ...body, value: mapJson(body.value, readLeaf) };
    const { value } = said;
    const known = {
        ...raw,
        ...verdict,
        text: isObject(value) ? listSaid(value).join('\n') : readMarkup(said.text),
        problem: undefined,
        link: findLink(body.text ?? ''),
        warnings: [],
        retryAfterMs: parseRetryAfter(headers['retry-after']),
    };
    if (verdict.kind === 'success') {
        return { ...known, ...readConfirmation(status, said), object: keepObject(body) };
    }
    return {
        ...known,
        problem: verdict.kind === 'problem' ? toProblem(body) : undefined,
        says: readExplanation(status, said, headers['www-authenticate']),
    };
}
/** A media type in lower case. Some servers write a parameter without its semicolon, or a type twice. */
function readType(contentType = '') {
    const [type = ''] = contentType
        .trim()
        .toLowerCase()
        .split(/[;,\s]/, 1);
    return type;
}
/** A body, read as JSON; a JSON text is read as its content, once. */
function readBody(type, decoded) {
    const body = readContent(decoded ?? '');
    const { text, value } = typeof body.value === 'string' ? readContent(body.value) : body;
    const isTruncated = value === undefined && JSON_START.test(text);
    return { type, text, value, isRead: decoded !== undefined && !isTruncated };
}
/** A page or JSON is known by how it begins, whatever invisible characters stand before it. */
function readContent(decoded) {
    const text = stripInvisible(decoded).trim();
    // A text in JSON may have line separators, which become line breaks.
    return { text, value: tryJson(decoded) ?? tryJson(text) };
}
/** A text or a name of JSON, as far as it says something. Many services set `instance` to the line of the request. */
function readLeaf(leaf, name) {
    if (foldName(name) === 'instance')
        return '';
    return typeof leaf === 'string' ? readSaid(stripInvisible(leaf)) : leaf;
}
function stripLeaf(leaf) {
    return typeof leaf === 'string' ? stripInvisible(leaf) : leaf;
}
/** The JSON of a body as text, without invisible characters, which it may have as escapes. */
function spellJson(value) {
    return JSON.stringify(mapJson(value, stripLeaf));
}
/** A JSON object as text, for the file of results; undefined for any other value, and for a long one. */
function keepObject({ value }) {
    if (!isRecord(value))
        return undefined;
    const text = spellJson(value);
    return Buffer.byteLength(text) <= MAX_OBJECT_BYTES ? text : undefined;
}
function toProblem({ value }) {
    const members = new Map(isObject(value) ? listMembers(value) : []);
    const traceId = members.get('traceid');
    const id = typeof traceId === 'string' ? stripInvisible(traceId).trim() : '';
    return {
        serviceTraceId: id === '' ? undefined : cutText(id, MAX_ID_CHARACTERS),
        json: spellJson(value),
    };
}

;// CONCATENATED MODULE: ./lib/service/exchange.js





/** Limits of the states of an exchange that no input sets, in milliseconds. */
const LIMITS = {
    /** How long connecting may take in total, unless the stall limit is shorter. */
    connectMs: 20_000,
    /** How long to wait for a response to the request's headers before the body is sent anyway. */
    continueMs: 1000,
    /**
     * How long the response's status line and headers may take after the last byte. A service may check a scan before it
     * responds; one that takes longer does not get the scan again.
     */
    headMs: 300_000,
};
/** The agents whose server requested a client certificate: it does not again if a TLS session is resumed. */
const REQUESTING = new WeakSet();
/**
 * Sends one request and waits for its response, for a limit, or for `signal`. Rejects only for headers that node:http
 * refuses to send. `@actions/http-client` would miss early responses, follow redirects with the token, and hang on a
 * truncated body.
 */
async function exchange(context) {
    return new Promise((resolve) => new Exchange(context, resolve).start());
}
class Exchange {
    #context;
    #resolve;
    #abort = () => this.#fail(this.#context.signal.reason);
    /** It fires at the end, so that a tunnel that is not open yet is given up. */
    #ended = new AbortController();
    #state = 'connecting';
    /** The limit of the state. It keeps the process alive, so that a silent peer cannot end it. */
    #timer;
    #request;
    // How much was sent, as `Attempt` says it.
    #sentBytes = 0;
    #isSent = false;
    #digests;
    #reader;
    constructor(context, resolve) {
        this.#context = context;
        this.#resolve = resolve;
    }
    start() {
        const { spec, limits, signal } = this.#context;
        if (signal.aborted)
            return this.#abort();
        const request = openRequest(spec, this.#ended.signal);
        this.#request = request;
        signal.addEventListener('abort', this.#abort, { once: true });
        this.#enter('connecting', Math.min(limits.connectMs, limits.stallMs));
        // Also a server that knows no `100 Continue` has time to respond before it gets the body.
        followConnection(request, (isCertificateRequested) => {
            if (isCertificateRequested)
                REQUESTING.add(spec.agent);
            this.#enter('asking', limits.continueMs, () => this.#send(request));
        });
        request.on('continue', () => {
            if (this.#state === 'asking')
                this.#send(request);
        });
        request.on('response', (response) => this.#respond(new ResponseReader(response)));
        // Errors after the whole response has arrived are ignored: reading it ends the exchange.
        request.on('error', (error) => {
            if (this.#reader?.response.complete !== true)
                this.#break(error);
        });
        request.on('close', () => {
            if (this.#reader === undefined)
                this.#break();
        });
    }
    #send(request) {
        this.#enter('sending');
        writeBody(this.#context.spec.body, (piece) => this.#write(request, piece)).then((digests) => this.#finish(request, digests), (error) => {
            // Once a refusal is being read, the files do not matter any more.
            if (this.#state === 'sending')
                this.#fail(error);
        });
    }
    /**
     * Resolves once the connection has taken the piece. If the connection fails, or the body is not wanted any more, it
     * never settles: then an event of the request or a limit ends the exchange.
     */
    async #write(request, piece) {
        const { spec, onSent } = this.#context;
        await new Promise((resolve) => {
            if (this.#state !== 'sending')
                return;
            request.write(piece, (error) => {
                if (!error)
                    resolve();
                // If a success has arrived whole, no other event ends the exchange.
                else if (this.#state === 'flushing' && this.#reader !== undefined)
                    this.#break(error);
            });
            if (this.#sentBytes + piece.length < spec.body.length)
                return;
            this.#isSent = spec.url.protocol === 'https:';
            this.#enter('flushing');
        });
        this.#sentBytes += piece.length;
        // A response that is being read has a limit of its own.
        if (this.#state === 'sending' || this.#state === 'flushing')
            this.#timer?.refresh();
        onSent(this.#sentBytes);
    }
    #finish(request, digests) {
        this.#digests = digests;
        this.#isSent = true;
        // In another state, a refusal is being read, or the exchange has ended.
        if (this.#state !== 'flushing')
            return;
        if (this.#reader !== undefined)
            return this.#read(this.#reader);
        this.#enter('waiting', this.#context.limits.headMs);
        request.end();
    }
    #respond(reader) {
        this.#reader = reader;
        if (!reader.isSuccessful || this.#digests !== undefined)
            return this.#read(reader);
        // A success does not count before the connection has taken the last byte; `#finish` reads it then.
        if (this.#state !== 'flushing')
            this.#end();
    }
    #read(reader) {
        const { response, isSuccessful } = reader;
        this.#enter('reading');
        // The connection may have broken while the response waited to be read.
        if (response.destroyed && !response.complete)
            return this.#break();
        response.on('data', (chunk) => {
            // A refusal is decided by its status: its text gets no more time if it arrives byte by byte.
            if (isSuccessful)
                this.#timer?.refresh();
            if (!reader.take(chunk))
                this.#end({ kind: 'too-long' });
        });
        // A body without framing is complete when the connection ends without an error (RFC 9112, section 8).
        response.on('end', () => this.#end(undefined, true));
        response.on('error', (error) => this.#break(error));
    }
    /** Enters a state. Once `limitMs` have passed without progress, the exchange ends, or `onExpire` is called. */
    #enter(state, limitMs = this.#context.limits.stallMs, onExpire) {
        if (this.#state === 'ended')
            return;
        this.#state = state;
        this.#context.onState(state);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(onExpire ?? (() => this.#end({ kind: 'limit', limitMs })), limitMs);
    }
    #break(cause = new Error('the connection was closed')) {
        this.#end({ kind: 'connection', error: readConnectionError(cause) });
    }
    #fail(reason) {
        this.#end({ kind: 'step', error: toStepError(reason) });
    }
    #end(failure, complete = false) {
        const state = this.#state;
        if (state === 'ended')
            return;
        this.#state = 'ended';
        clearTimeout(this.#timer);
        this.#context.signal.removeEventListener('abort', this.#abort);
        const sent = { sentBytes: this.#sentBytes, isSent: this.#isSent, digests: this.#digests };
        const isCertificateRequested = REQUESTING.has(this.#context.spec.agent);
        const record = { state, ...sent, isCertificateRequested };
        try {
            this.#resolve({ ...record, response: this.#reader?.conclude(complete), failure });
        }
        catch (error) {
            // An error of our own in reading the response must not keep the exchange from ending.
            const unread = { kind: 'step', error: toStepError(error) };
            this.#resolve({ ...record, response: undefined, failure: unread });
        }
        // No error is passed: it would end the TLS session that a further attempt resumes.
        this.#request?.destroy();
        this.#ended.abort();
    }
}

;// CONCATENATED MODULE: ./lib/upload/upload-scan.js









/** Makes attempts to upload a scan, and waits between them, until there is a result. */
async function uploadScan(task, shared, events) {
    const { standing } = shared;
    const sent = { service: task.url.origin, requestTraceId: task.requestTraceId };
    let digests;
    let result = 'not-sent';
    for (let attempts = 1;; attempts += 1) {
        events.onAttempt(attempts);
        const last = await attempt(task, shared, events);
        const { status, problem, object, says, warnings } = last.response ?? {};
        digests = last.digests ?? digests;
        const ended = { ...sent, attempts, digests, status };
        const evidence = readEvidence(last, task, standing.accepted);
        const judged = judge(evidence);
        if (judged === undefined) {
            standing.accept(task.label);
            return { ...ended, response: object, says, warnings, result: 'accepted' };
        }
        const { situation } = judged;
        // Once the service may have the scan, only a success can change that.
        if (result !== 'unconfirmed')
            result = findResult(situation, last.isSent);
        const failure = await waitForRetry({ ...evidence, ...judged, result, attempts }, shared, events);
        if (failure === undefined)
            continue;
        stopOthers(situation, task.label, shared);
        return { ...ended, result, failure, problem: problem?.json };
    }
}
/** Starts no other scan after a failure that all of them would have. */
function stopOthers(situation, label, { standing, schedule }) {
    const { stopsOthers: why } = findRow(situation);
    if (why === undefined || !standing.reject())
        return;
    schedule.stop(new StepError('other-scans', `Not tried, because ${why} of ${label}.`, []));
}
/** Makes one attempt: gets the credential, and sends the request. */
async function attempt({ url, body, requestTraceId, inputs: { headers, stallMs } }, { agent, authenticate, schedule: { signal } }, events) {
    const held = await authenticate().catch(toStepError);
    if (held instanceof StepError)
        return recordNoCredential(held);
    const extra = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    const send = async (expectContinue) => {
        const all = { ...makeCommonHeaders(requestTraceId), ...extra, ...held };
        const spec = { url, agent, headers: all, body, expectContinue };
        return exchange({ spec, limits: { stallMs, ...LIMITS }, signal, ...events });
    };
    // Each attempt asks first, even with a small body, because a server that does not read it must not seem to accept it.
    const asked = await send(true);
    return isExpectationRefused(asked) ? send(false) : asked;
}
/** Waits before the next attempt. Resolves with undefined, or with the failure of the upload if there is none. */
async function waitForRetry(failed, { schedule }, { onRetry }) {
    const { situation, task, attempts, last } = failed;
    const { retryAfterMs: askedMs = 0 } = last.response ?? {};
    const waitMs = chooseWait(last.response, attempts, Math.random());
    try {
        let whyLast = limitRetries(situation, attempts, task.inputs.retries);
        if (whyLast !== 'final')
            schedule.delayAll(askedMs, waitMs);
        // The step may have been cancelled while a refusal was being read.
        whyLast ??= schedule.findWhyLast(waitMs);
        if (whyLast === undefined) {
            // What happened does not depend on why an attempt is the last one.
            const { headline } = spellUpload({ ...failed, whyLast: 'final', askedMs });
            onRetry(headline, askedMs, waitMs);
            whyLast = await schedule.wait(waitMs);
        }
        return whyLast && spellUpload({ ...failed, whyLast, askedMs: schedule.askedMs });
    }
    catch (error) {
        // After an error that nobody expected, the result of the attempts still counts.
        return spellError(error);
    }
}

;// CONCATENATED MODULE: ./lib/stages/upload.js











/**
 * How many bytes of what responses say are kept for all scans of a step together. They stay in memory until its end, and
 * secrets are removed from them then.
 */
const MAX_ALL_KEPT_BYTES = 1024 * 1024;
/** What is not kept beyond: the log has said it, or it is only in the file of results. */
const DROPPED = { says: undefined, problem: undefined, response: undefined };
/**
 * Uploads the planned scans, up to `max-parallel` in parallel. Returns the results of all scans in their order.
 * One scan may delay the others, or keep them from being started.
 */
async function uploadScans(scans, inputs, limits, events) {
    const { baseUrl, credential, proxy, stallMs, tls } = inputs;
    const shared = {
        agent: createAgent(baseUrl, tls, proxy),
        schedule: new Schedule(limits),
        standing: new Standing(),
        authenticate: makeAuthenticate(credential, tls, stallMs, limits.signal),
    };
    const results = [];
    const queue = scans.entries();
    let keptBytes = 0;
    const work = async () => {
        for (const [index, scan] of queue) {
            const isPlanned = !('result' in scan);
            const ended = isPlanned ? await openAndUpload(scan, inputs, shared, events) : scan;
            const { failure, warnings, says, problem, response } = ended;
            // A part of a text would keep the whole response in memory. These are copies.
            const kept = structuredClone({ failure, warnings, says, problem, response });
            keptBytes += Buffer.byteLength(JSON.stringify(kept));
            results[index] = { ...ended, ...kept, ...(keptBytes > MAX_ALL_KEPT_BYTES && DROPPED) };
            if (isPlanned)
                reportEnd(ended, events);
        }
    };
    await Promise.all(Array.from({ length: inputs.maxParallel }, work));
    return results;
}
/** Logs the end of a scan. An error in the log changes neither its result nor those of other scans. */
function reportEnd(scan, { onEnd }) {
    try {
        onEnd(scan);
    }
    catch {
        // The outputs and the summary show the result, too.
    }
}
/** Opens the files of a scan, uploads them and closes them. Never rejects. */
async function openAndUpload(scan, inputs, shared, events) {
    const { signal } = shared.schedule;
    const files = new Map();
    try {
        await shared.schedule.waitForStart();
        for (const { part, file } of scan.plan.parts) {
            files.set(part.name, await settleWithin(reopenScanFile(file), signal));
        }
        const [start, startedAt] = [performance.now(), Date.now()];
        const task = makeTask(scan, files, inputs);
        const sent = await uploadScan(task, shared, events.onStart(scan, task.body.length));
        return { ...scan, ...sent, startedAt, durationMs: performance.now() - start };
    }
    catch (error) {
        return endNotSent(scan.entry, scan.plan, error);
    }
    finally {
        const closing = closeFiles([...files.values()]);
        // The files were only read and the result is known, so that an error of closing them does not matter.
        await settleWithin(closing, signal).catch(() => { });
    }
}
function makeTask({ entry, plan }, files, inputs) {
    const { label = 'another scan', scanKey } = entry;
    return {
        label,
        url: locateOperation(inputs.baseUrl, plan.operation),
        plan,
        scanKey,
        body: frameBody(files, scanKey),
        requestTraceId: createTraceId(),
        inputs,
    };
}

;// CONCATENATED MODULE: ./lib/main.js













/** Runs the step and reports it. Returns the exit code, which is 0 only if every scan was accepted, planned in a dry run or skipped. */
async function run(lifecycle) {
    const faults = new Faults();
    const limits = lifecycle.limit(readTimeLimit(faults));
    hideSecrets(faults);
    const log = new Log();
    const revision = await settleWithin(findRevision(), limits.signal).catch(() => undefined);
    if (revision !== undefined)
        log.info(revision.text);
    const ended = await runStages(faults, limits, log);
    const succeeds = publish({ ...ended, revision }, log);
    const endedBy = limits.signal.reason;
    if (!succeeds)
        return getExitCode(endedBy);
    // A late cancellation does not change an accepted upload, but an unexpected error must be reported.
    if (endedBy === undefined || isExpectedEnd(endedBy))
        return 0;
    log.error('Scan upload failed unexpectedly', errorMessage(endedBy));
    return 1;
}
/** Runs the stages in order. An error that ends the step becomes the failure of every scan, or of the step if it has no scan. */
async function runStages(faults, limits, log) {
    // Each stage ends when the signal fires. `settleWithin` also ends the wait for a system call that never returns.
    const { signal } = limits;
    let entries = [];
    let repeats = [];
    try {
        checkNode();
        const workspace = await settleWithin(findWorkspace(), signal);
        const inputs = await settleWithin(readInputs(workspace, faults), signal);
        if (inputs.dryRun)
            await settleWithin(noticeDryRun(log), signal);
        entries = inputs.scans;
        const scope = { workspace, includeHidden: inputs.includeHidden };
        const jobStart = await settleWithin(findJobStart(), signal);
        const onPrepared = narratePhase(`Inspecting ${entries.length} scans`, entries.length, log);
        const preparing = prepareScans(entries, { inputs, scope, jobStart, signal }, onPrepared);
        const planned = await settleWithin(preparing, signal);
        await narrateFiles(planned, inputs.noFiles, signal, log);
        repeats = describeRepeats(planned);
        if (repeats.length > 0)
            log.warning('Scan upload (scans)', repeats.join('\n'));
        if (inputs.dryRun) {
            narrateDryRun(planned, inputs, log);
            const scans = planned.map((scan) => ('result' in scan ? scan : endDryRun(scan)));
            return { scans, failure: undefined, repeats };
        }
        const scans = await uploadScans(planned, inputs, limits, narrateUploads(planned, inputs, log));
        return { scans, failure: undefined, repeats };
    }
    catch (error) {
        const scans = entries.map((entry) => endNotSent(entry, undefined, error));
        return { scans, failure: scans.length === 0 ? spellError(error) : undefined, repeats };
    }
    finally {
        log.endGroup();
    }
}
/** Logs a notice for the default branch, because a `dry-run` with a wrong branch in its expression would upload nothing for weeks. */
async function noticeDryRun(log) {
    const branch = await findDefaultBranch();
    if (branch === undefined)
        return;
    const text = `Nothing is uploaded for this run of the default branch (${branch}), because \`dry-run\` is \`true\`. If it should be uploaded, check the expression in \`dry-run\`.`;
    log.notice('Scan upload (dry run)', text);
}

;// CONCATENATED MODULE: ./lib/index.js



// A process that ends early for any reason must fail: only the end of the step sets the exit code to 0.
process.exitCode = 1;
const lifecycle = new Lifecycle((text) => new Log().error('Scan upload ended', text));
lifecycle.watch();
void run(lifecycle).then((exitCode) => lifecycle.end(exitCode));

})();

module.exports = __webpack_exports__;
/******/ })()
;