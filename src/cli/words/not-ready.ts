import type { NotReady } from '../../upkeep/update/ready.ts'

/** Why a server is not ready, with the last lines that it printed, or where those are. */
export function notReadyInWords(found: NotReady): string {
  const { said, unit } = found
  const seen = unit === undefined ? '' : `: journalctl -u ${unit} -n 20`
  const printed = said === undefined || found.why === 'command' ? '' : `.\n${said}`
  return `${(words[found.why] as (found: NotReady) => string)(found)}${seen}${printed}`
}

type Because<Why> = Extract<NotReady, { readonly why: Why }>

const words: { readonly [Why in NotReady['why']]: (found: Because<Why>) => string } = {
  ended: () => 'it ended by itself',
  'no-port': () => 'it does not open its port',
  page: ({ status }) => `its page answers ${status}`,
  status: ({ status, afterMs }) => `/readyz answers ${status}${after(afterMs)}`,
  silent: ({ error, afterMs }) => `/readyz does not answer: ${error}${after(afterMs)}`,
  command: ({ command, said }) => `"${command}" failed: ${said}`,
}

const after = (ms = 0) => ` after ${Math.round(ms / 1000)} s`
