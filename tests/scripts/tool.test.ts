import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../fixtures/run.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const MODULE = JSON.stringify(join(import.meta.dirname, '../../scripts/checks/tool.ts'))

/** Runs `runTool` in a process of its own, on a shell script. */
function runTool(script: string) {
  const code = `import { runTool } from ${MODULE}
    console.log('came to', await runTool('sh', ['-c', ${JSON.stringify(script)}]))`
  return run(tempDir(), [process.execPath, '--input-type=module', '--eval', code])
}

test('says how a tool failed, and nothing when it did not', { tags: 'thorough' }, async () => {
  const good = runTool('true')
  await good.ended
  expect(good.output()).toContain('came to undefined')
  const bad = runTool('exit 3')
  await bad.ended
  expect(bad.output()).toContain('came to exit code 3')
  const killed = runTool('kill -9 $$')
  await killed.ended
  expect(killed.output()).toContain('came to ended by SIGKILL')
})

test('Ctrl-C reaches a tool once, and ends what the tool started', async () => {
  const tool = runTool(`
    trap 'echo asked to stop; exit 0' INT
    sleep 100 & echo started
    while :; do wait; done
  `)
  await tool.printed(/started/)
  tool.signalGroup('SIGINT')
  tool.signalGroup('SIGINT')
  // It ends when nobody holds its output any more, the sleeper included.
  expect(await tool.ended).toBe(130)
  expect(tool.output().split('asked to stop')).toHaveLength(2)
})
