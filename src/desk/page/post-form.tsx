import type { ComponentProps } from 'react'
import { useShell } from './view.ts'

/** A form that posts to the desk, with the token that the desk requires. */
export function PostForm({ children, ...others }: Omit<ComponentProps<'form'>, 'method'>) {
  return (
    <form method="post" {...others}>
      <input type="hidden" name="csrf" value={useShell().csrf} />
      {children}
    </form>
  )
}
