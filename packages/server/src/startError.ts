/** Something outside of the product keeps it from starting; the message is a sentence for the user. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
