import { grouped } from '../shared/counted.ts'
import type { NoticeData } from '../store/notices.ts'

/** The begin and the end of an alarm about the rehearsal of a back-up. */
export function ofRehearsal({ why }: NoticeData) {
  const ends = 'a back-up was tested, and came back as it was'
  if (why === 'rehearsal-failed') return { begins: 'a back-up could not be restored', ends }
  return why === 'rehearsal-overdue' ? { begins: 'no back-up was tested lately', ends } : undefined
}

/** What is wrong with the back-ups, and the command that helps. */
export function ofBackups({ why, last, hours, command }: NoticeData): string[] {
  const does = String(command)
  if (why === 'rehearsal-failed')
    return [
      'A copy was restored as a test, and did not come back as it was.',
      `To try again, and see what differs: ${does}`,
    ]
  if (why === 'rehearsal-overdue')
    return ['No copy was tested for nine days, so none is known to work.', `To test one: ${does}`]
  return [
    last === null
      ? 'No back-up was ever made.'
      : `The last ${why === 'stopped' ? 'scheduled one' : 'one'} is ${grouped(Number(hours))} hours old.`,
    `To make one${does.includes('--to') ? ', with the same options as before' : ''}: ${does}`,
  ]
}

/** The back-ups in a day's notice; nothing where nobody looked at them. */
export function backupsInDay({ backups }: NoticeData, zone: string): string[] {
  if (typeof backups !== 'object' || backups === null) return []
  const { lastBackup, lastRehearsal, rehearsalFailed } = backups as NoticeData
  if (!lastBackup) return ['No back-up was ever made.']
  const failed = rehearsalFailed ? ` The last test failed: ${when(rehearsalFailed, zone)}.` : ''
  return [
    `Last back-up: ${when(lastBackup, zone)}.`,
    lastRehearsal
      ? `Last successful test of a back-up: ${when(lastRehearsal, zone)}.${failed}`
      : `No test of a back-up succeeded yet.${failed}`,
  ]
}

/** `22 November, 09:00 GMT+1` */
export function when(time: unknown, zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  return format.format(new Date(String(time))).replace(' at ', ', ')
}
