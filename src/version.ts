/** The version in the User-Agent header; package.json says the same, and a test compares them. */
export const VERSION = '1.0.0';
