declare module 'gltf-validator' {
  /** A finding of the validator. Severity 0 is an error, 1 a warning. */
  interface Message {
    code: string
    severity: number
    pointer?: string
  }

  export function validateBytes(
    bytes: Uint8Array,
    options: { maxIssues: number },
  ): Promise<{ issues: { messages: Message[] } }>
}
