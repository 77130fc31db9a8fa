import { Age } from '../parts/time.tsx'
import { age } from '../times.ts'
import { useShell } from '../view.ts'

/** `4 min ago`, or `now`. @param at in milliseconds since 1970. */
export function Ago({ at }: { readonly at: number }) {
  return (
    <>
      <Age at={at} />
      {age(at, useShell().now) === 'now' ? '' : ' ago'}
    </>
  )
}
