/** What is wrong with a document of `size` bytes that ends too early. */
export function describeCut(language: 'JSON' | 'XML', size: number): string {
  return `is cut off: its ${language} ends too early, at byte ${size}`;
}

/** What is wrong with bytes that are no UTF-8, `offset` bytes into the file. */
export function describeInvalid(offset: number): string {
  return `is not valid UTF-8 (at byte ${offset})`;
}
