/** The repository on GitHub, as OWNER/REPO. `npm run rename` writes it, on one line of any length. */
// prettier-ignore
export const REPOSITORY = 'your-org/scan-upload-action';
