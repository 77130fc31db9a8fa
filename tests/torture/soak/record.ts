import { DatabaseSync } from 'node:sqlite'
import { askedIn as asked } from '../../fixtures/asked-in.ts'
import type { Life } from './life.ts'

/** What the operator's commands say of one list. */
export interface Listed {
  readonly standing: string
  readonly hasReceipt: boolean
}

interface ListLine {
  readonly email: string
  readonly standing: string
  readonly extra?: { readonly consent?: unknown }
}

interface DeliveryLine {
  readonly email: string | null
  readonly status: string
}

/** Everything that a list says of everybody, by its own commands. @param dataDir another than the life's. */
export async function recordOf({ command }: Life, dataDir?: string) {
  const more = dataDir === undefined ? {} : { DATA_DIR: dataDir }
  const read = async <Line>(args: readonly string[]) =>
    (await command([...args, '--json'], more))
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Line => JSON.parse(line))
  const [list, deliveries] = await Promise.all([
    read<ListLine>(['list', '--all']),
    read<DeliveryLine>(['deliveries', 'launch']),
  ])
  return {
    listed: new Map(
      list.map(({ email, standing, extra }): [string, Listed] => [
        email,
        { standing, hasReceipt: extra?.consent !== undefined },
      ]),
    ),
    /** The status of everybody's row. */
    rows: new Map(deliveries.flatMap(({ email, status }) => (email ? [[email, status]] : []))),
    rowsOfForgotten: deliveries.filter(({ email }) => !email).length,
    lines: { list: list.length, rows: deliveries.length },
  }
}

export type ListRecord = Awaited<ReturnType<typeof recordOf>>

/** Who has yet to get a letter, and who has one and may still answer. */
export function askedIn(file: string) {
  const db = new DatabaseSync(file, { readOnly: true })
  const [check] = db.prepare('PRAGMA integrity_check').all()
  const { waiting, pending } = asked(db)
  const found = {
    isIntact: check?.integrity_check === 'ok',
    waiting,
    pending: new Set(pending.map(({ email }) => email)),
  }
  db.close()
  return found
}
