import { useEffect, useRef, useState } from 'react'
import { counted, grouped } from '../../../shared/counted.ts'
import type { TodayState } from '../../contract/today.ts'

/** A screen reader is told once a minute at most, and not of each sign-up. */
const EVERY_MS = 60_000

/** Says how many there are, for a screen reader, once that has changed. */
export function Spoken({ state }: { readonly state: TodayState }) {
  const { people, signUpsToday } = state
  const words = `${counted(people.subscribed, 'subscriber')}, ${grouped(signUpsToday)} today`
  const newest = useRef(words)
  newest.current = words
  const [said, setSaid] = useState('')
  useEffect(() => {
    const first = newest.current
    const timer = setInterval(
      () => setSaid((before) => (before || newest.current !== first ? newest.current : '')),
      EVERY_MS,
    )
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  )
}
