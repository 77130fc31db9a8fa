import type { ReactNode } from 'react'

/** A sentence with something drawn in the place of its slot. */
export function Around(props: { readonly text: string; readonly children: ReactNode }) {
  const [before, after] = props.text.split(/\{\w+\}/)
  return (
    <>
      {before}
      {props.children}
      {after}
    </>
  )
}
