/** Requests to model APIs, in which every string written by a person begins with "t:". */

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk';
const blob = 'gAAAAABoZm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy==';
const inner = (value: unknown) => JSON.stringify(value);

const schema = {
  type: 'object',
  properties: { to: { type: 'string', description: 't:whom', format: 'email', enum: ['a', 'b'] } },
  required: ['to'],
  additionalProperties: false,
};
const tool = { type: 'function', function: { name: 'send_mail', description: 't:sends', parameters: schema } };

/** Chat completions, Responses, Messages, batches, Gemini, Cohere, Ollama, llama.cpp, Hugging Face, Bedrock. */
export const modelApiBodies: readonly [name: string, body: unknown][] = [
  [
    'OpenAI chat completions',
    {
      model: 'gpt-4o-2024-11-20',
      messages: [
        { role: 'system', content: 't:a' },
        { role: 'user', name: 't:Hana', content: [{ type: 'text', text: 't:b' }] },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png}`, detail: 'high' } },
            { type: 'image_url', image_url: { url: 'https://img.example/a.png' } },
            { type: 'input_audio', input_audio: { data: 'SUQzBAAAAAAAI1RTU0UAAAAPAAADTGF2ZjU4', format: 'mp3' } },
            { type: 'file', file: { file_id: 'file-abc123' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          refusal: 't:no',
          reasoning_content: 't:thought',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'send_mail', arguments: inner({ to: 't:c', n: 1 }) } },
            { id: 'call_2', type: 'custom', custom: { name: 'run', input: 't:code' } },
          ],
          function_call: { name: 'f', arguments: inner(['t:d']) },
        },
        { role: 'tool', tool_call_id: 'call_1', content: inner({ id: 't:e', status: 't:f' }) },
      ],
      tools: [tool],
      tool_choice: { type: 'function', function: { name: 'send_mail' } },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object', description: 't:g', properties: {} } },
      },
      prediction: { type: 'content', content: 't:h' },
      user: 't:user',
      safety_identifier: 't:safety',
      metadata: { customer: 't:i', order_id: 't:j' },
      web_search_options: { user_location: { type: 'approximate', approximate: { city: 't:Kyoto' } } },
      stop: ['t:stop'],
      reasoning_effort: 'low',
      service_tier: 'auto',
      seed: 7,
      logit_bias: { '50256': -100 },
      stream: true,
      stream_options: { include_usage: true },
      prompt_cache_key: 'k-1',
    },
  ],
  [
    'OpenAI Responses',
    {
      model: 'gpt-5',
      instructions: 't:a',
      previous_response_id: 'resp_1',
      conversation: 'conv_1',
      input: [
        { role: 'user', content: 't:b' },
        {
          type: 'message',
          role: 'assistant',
          id: 'msg_1',
          status: 'completed',
          content: [{ type: 'output_text', text: 't:c' }],
        },
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_image', image_url: `data:image/png;base64,${png}` }],
        },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: 'send_mail',
          arguments: inner({ to: 't:d' }),
          status: 'completed',
        },
        { type: 'function_call_output', call_id: 'call_1', output: inner({ ok: 't:e' }) },
        { type: 'function_call_output', call_id: 'call_1', output: 't:plain' },
        { type: 'custom_tool_call', call_id: 'call_3', name: 'run', input: 't:f' },
        {
          type: 'local_shell_call',
          call_id: 'c',
          action: { type: 'exec', command: ['t:ls'], commands: ['t:cat'], env: { HOME: 't:/home/x' } },
        },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 't:g' }], encrypted_content: blob },
        { type: 'file_search_call', id: 'fs_1', results: [{ text: 't:h', file_id: 'file-1' }] },
      ],
      prompt: { id: 'pmpt_1', version: '2', variables: { name: 't:i' } },
      tools: [
        { type: 'function', name: 'send_mail', description: 't:j', parameters: schema, strict: true },
        { type: 'mcp', server_label: 't:deepwiki', server_url: 'https://mcp.example/sse', require_approval: 'never' },
      ],
      tool_choice: 'auto',
      metadata: { a: 't:k' },
      user: 't:l',
      text: { format: { type: 'text' }, verbosity: 'low' },
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      truncation: 'auto',
      store: true,
    },
  ],
  [
    'Anthropic Messages',
    {
      model: 'claude-sonnet-4-5-20250929',
      max_tokens: 9,
      system: [{ type: 'text', text: 't:a', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        { role: 'user', content: 't:b' },
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: blob },
            { type: 'text', text: 't:c' },
            { type: 'tool_use', id: 'toolu_1', name: 'send_mail', input: { to: 't:d', type: 't:e', id: 't:f' } },
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 't:g' } },
            {
              type: 'web_search_tool_result',
              tool_use_id: 'srvtoolu_1',
              content: [
                {
                  type: 'web_search_result',
                  url: 't:https://a.example',
                  title: 't:h',
                  encrypted_content: blob,
                  page_age: 't:April',
                },
              ],
            },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 't:i' }], is_error: false },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
            {
              type: 'document',
              title: 't:j',
              context: 't:k',
              source: { type: 'text', media_type: 'text/plain', data: 't:l' },
            },
            { type: 'search_result', source: 't:m', title: 't:n', content: [{ type: 'text', text: 't:o' }] },
            { type: 'document', source: { type: 'file', file_id: 'file_011' } },
            {
              type: 'bash_code_execution_tool_result',
              tool_use_id: 'srvtoolu_2',
              content: { type: 'bash_code_execution_result', stdout: 't:p', stderr: 't:q', return_code: 0 },
            },
          ],
        },
      ],
      tools: [
        { name: 'send_mail', description: 't:r', input_schema: schema },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
      ],
      tool_choice: { type: 'tool', name: 'send_mail' },
      metadata: { user_id: 't:s' },
      stop_sequences: ['t:END'],
      mcp_servers: [{ type: 'url', url: 'https://mcp.example/sse', name: 'wiki', authorization_token: 'abc.def' }],
      stream: true,
      thinking: { type: 'enabled', budget_tokens: 1024 },
    },
  ],
  [
    'Anthropic batches',
    {
      requests: [
        { custom_id: 'row-1', params: { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 't:a' }] } },
      ],
    },
  ],
  [
    'Gemini',
    {
      systemInstruction: { role: 'user', parts: [{ text: 't:a' }] },
      contents: [
        { role: 'user', parts: [{ text: 't:b' }, { inlineData: { mimeType: 'image/png', data: png } }] },
        {
          role: 'model',
          parts: [
            { functionCall: { id: 'c1', name: 'send_mail', args: { to: 't:c', id: 't:d' } }, thoughtSignature: blob },
            { executableCode: { language: 'PYTHON', code: 't:e' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 't:f' } },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'send_mail', response: { name: 't:g' } } }] },
        {
          role: 'user',
          parts: [{ fileData: { mimeType: 'application/pdf', fileUri: 'https://g.example/files/abc' } }],
        },
      ],
      tools: [{ functionDeclarations: [{ name: 'send_mail', description: 't:h', parameters: schema }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['send_mail'] } },
      generationConfig: { responseMimeType: 'application/json', stopSequences: ['t:i'], temperature: 0.2 },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      cachedContent: 'cachedContents/abc',
      labels: { team: 't:j' },
    },
  ],
  [
    'Gemini, in snake case and wrapped',
    {
      model: 'gemini-2.5-pro',
      project: 't:p',
      request: {
        system_instruction: { parts: [{ text: 't:a' }] },
        contents: [{ role: 'user', parts: [{ text: 't:b' }, { inline_data: { mime_type: 'image/png', data: png } }] }],
      },
    },
  ],
  [
    'Cohere',
    {
      model: 'command-a',
      message: 't:a',
      preamble: 't:b',
      chat_history: [{ role: 'USER', message: 't:c' }],
      messages: [
        {
          role: 'assistant',
          tool_plan: 't:d',
          tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: inner({ a: 't:e' }) } }],
        },
        { role: 'tool', tool_call_id: 'x', content: [{ type: 'document', document: { data: { text: 't:f' } } }] },
      ],
      documents: ['t:g', { id: 'd1', data: { title: 't:h' } }],
      texts: ['t:i'],
      input_type: 'search_query',
      embedding_types: ['float'],
    },
  ],
  [
    'Ollama',
    {
      model: 'llama3.2',
      prompt: 't:a',
      system: 't:b',
      suffix: 't:c',
      messages: [
        {
          role: 'user',
          content: 't:d',
          thinking: 't:e',
          images: [png],
          tool_calls: [{ function: { name: 'f', arguments: { to: 't:f' } } }],
        },
      ],
      format: 'json',
      keep_alive: '5m',
      options: { temperature: 0 },
    },
  ],
  [
    'llama.cpp',
    { prompt: ['t:a', 't:b'], input_prefix: 't:c', input_extra: [{ filename: 't:d', text: 't:e' }], n_predict: 1 },
  ],
  ['Hugging Face', { inputs: { question: 't:a', context: 't:b' }, parameters: { stop: ['t:c'], max_new_tokens: 4 } }],
  [
    'Bedrock Converse',
    {
      system: [{ text: 't:a' }],
      messages: [
        {
          role: 'user',
          content: [
            { text: 't:b' },
            { toolUse: { toolUseId: 'tooluse_1', name: 'send_mail', input: { to: 't:c' } } },
            {
              toolResult: {
                toolUseId: 'tooluse_1',
                content: [{ json: { a: 't:d' } }, { text: 't:e' }],
                status: 'success',
              },
            },
            { image: { format: 'png', source: { bytes: png } } },
            { guardContent: { text: { text: 't:f' } } },
          ],
        },
      ],
      toolConfig: { tools: [{ toolSpec: { name: 'send_mail', description: 't:g', inputSchema: { json: schema } } }] },
    },
  ],
];
