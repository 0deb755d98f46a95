/** A library that can read no PDF: drawing one needs a real canvas and a real worker. */
export const GlobalWorkerOptions = {};

export const getDocument = () => ({
  promise: Promise.reject(new Error('Invalid PDF structure.')),
  destroy: () => {},
});
