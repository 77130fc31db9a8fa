import { useEffect, useState } from 'react'
import { Button } from '../../desk/page/parts/button.tsx'
import { say } from '../../shared/say.ts'

interface CopyButtonProps {
  readonly text: string
  /** What is copied, for who does not see where the button stands. */
  readonly name: string
}

/** Copies a text. It is there where the browser allows that: with script, over https or on this machine. */
export function CopyButton({ text, name }: CopyButtonProps) {
  const [state, setState] = useState<'missing' | 'idle' | 'copied'>('missing')
  useEffect(() => {
    if (navigator.clipboard) setState('idle')
  }, [])
  if (state === 'missing') return null
  const copy = () => navigator.clipboard.writeText(text).then(() => setState('copied'))
  return (
    <>
      <Button type="button" onClick={copy} aria-label={say('Copy {name}', { name })}>
        {state === 'copied' ? say('Copied') : say('Copy')}
      </Button>
      <span role="status" className="visually-hidden">
        {state === 'copied' && say('Copied {name}.', { name })}
      </span>
    </>
  )
}
