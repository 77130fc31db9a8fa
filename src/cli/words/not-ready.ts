import type { NotReady } from '../../upkeep/update/ready.ts'

/** Why a server is not ready, with the last lines that it printed, or where those are. */
export function notReadyInWords(found: NotReady): string {
  const { said, unit } = found
  const seen = unit === undefined ? '' : `: journalctl -u ${unit} -n 20`
  const printed = said === undefined || found.why === 'command' ? '' : `.\n${said}`
  return `${inWords(found)}${seen}${printed}`
}

function inWords(found: NotReady): string {
  switch (found.why) {
    case 'ended':
      return 'it ended by itself'
    case 'no-port':
      return 'it does not open its port'
    case 'page':
      return `its page answers ${found.status}`
    case 'status':
      return `/readyz answers ${found.status}${after(found.afterMs)}`
    case 'silent':
      return `/readyz does not answer: ${found.error}${after(found.afterMs)}`
    case 'command':
      return `"${found.command}" failed: ${found.said}`
  }
}

const after = (ms = 0) => ` after ${Math.round(ms / 1000)} s`
