/** The repository on GitHub, as OWNER/REPO. `npm run rename` writes it. */
export const REPOSITORY = 'your-org/scan-upload-action';
