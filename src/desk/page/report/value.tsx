import { type Kind, type Value, valueInWords } from '../../../shared/report.ts'
import { deskPaths } from '../../contract/pages.ts'
import { Foreign } from '../parts/foreign.tsx'
import { StandingMark } from '../parts/standing-mark.tsx'
import { Time } from '../parts/time.tsx'
import { Address } from '../people/address.tsx'

interface ShownProps {
  readonly value: Value
  readonly kind?: Kind | undefined
  /** Of the person whose address it is: leads to their page. */
  readonly id?: unknown
}

/** A value of a report by what it is. */
export function Shown({ value, kind, id }: ShownProps) {
  if (typeof value === 'string') {
    if (kind === 'time') return <Time at={Date.parse(value)} />
    if (kind === 'foreign') return <Foreign text={value} />
    if (kind === 'standing') return <StandingMark standing={value} />
    if (kind === 'email' && id)
      return (
        <a href={`${deskPaths.people}/${id}`}>
          <Foreign text={value} />
        </a>
      )
    if (kind === 'email') return <Address email={value} />
  }
  return <>{valueInWords(value, kind)}</>
}
