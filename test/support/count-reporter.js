/**
 * Ends a test run with one line that a script can read: `N passed, N failed, N skipped`. A suite that did not run at
 * all counts as failed.
 */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    // After what the default reporter has written to stderr.
    process.stderr.write('', () => process.stdout.write(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`));
  }
}
