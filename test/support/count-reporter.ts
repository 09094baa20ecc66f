/** Ends a test run with one line that a script can read: `N passed, N failed, N skipped`. A suite that did not run at all counts as failed. */
interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

export default class CountReporter {
  onRunComplete(_contexts: unknown, results: Results): void {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    // After what the default reporter has written to stderr.
    process.stderr.write('', () => process.stdout.write(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`));
  }
}
