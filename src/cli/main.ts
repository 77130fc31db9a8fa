import { exitCodes } from '../terminal/exit-codes.ts'
import { operate } from './run-command-line.ts'

// The reader of our output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
})

await operate(process.argv.slice(2))

// Everything is written and closed. A store's library may retry for minutes what nobody waits for.
process.stdout.write('', () => process.exit())
