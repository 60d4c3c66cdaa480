/** The repository on GitHub, as OWNER/REPO. `npm run rename` writes another name here and elsewhere. */
export const REPOSITORY = 'your-org/scan-upload-action';
