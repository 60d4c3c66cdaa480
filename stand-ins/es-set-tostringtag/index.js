// form-data names its objects with es-set-tostringtag, whose dozen packages for engines without symbols
// take 1 ms of start. package.json's "overrides" puts this file in its place.
module.exports = (object, value) => {
  if (Object.hasOwn(object, Symbol.toStringTag)) return;
  Object.defineProperty(object, Symbol.toStringTag, { configurable: true, value });
};
