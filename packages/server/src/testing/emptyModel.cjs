/** Stands in for a model that the published SDK names and does not hold; see kestraSdk.ts. */
exports.__esModule = true;
exports.default = { constructFromObject: (/** @type {unknown} */ data) => data };
