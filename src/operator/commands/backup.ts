import type { Backups } from '../../store/backups.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'
import { counted } from '../terminal/words.ts'

export interface CopyOptions {
  readonly file: string
  readonly json?: boolean | undefined
  readonly sealKey?: Buffer | undefined
}

/** `backup`: writes a copy of everything and checks it. */
export async function backup(backups: Backups, { file, json, sealKey }: CopyOptions, out: Out) {
  const copy = await backups.write(file, { sealKey })
  if (json) await out.write(`${JSON.stringify(copy)}\n`)
  else out.say(`${counted(copy.subscribers, 'subscriber')} copied to ${file}, and read back.`)
  out.say('Keep LINK_KEY, or link.key of DATA_DIR, with it: unsubscribe links need it.')
  return exitCodes.done
}
