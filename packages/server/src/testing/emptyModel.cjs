/** Stands in for a model that the published SDK names and does not hold; see kestraSdk.ts. */
class EmptyModel {
  static constructFromObject(data) {
    return data;
  }
}

module.exports = { __esModule: true, default: EmptyModel };
