/** Runs a story: `ok <step>` for each step that was done and checked; the first that fails ends the program with 1. */
export async function runSteps<Story>(
  steps: readonly (readonly [name: string, run: (story: Story) => Promise<void>])[],
  story: Story,
): Promise<void> {
  for (const [name, step] of steps) {
    try {
      await step(story);
    } catch (error) {
      console.error(`failed ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      process.exit(1);
    }
    console.log(`ok ${name}`);
  }
}
