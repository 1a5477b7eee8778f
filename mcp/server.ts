/** One MCP server instance: the tools, resources and the prompt over a shared context. */
import { McpServer } from '@modelcontextprotocol/server';
import type { ToolContext } from './context.ts';
import { registerPrompt, registerResources } from './resources.ts';
import { registerDetect } from './tools/detect.ts';
import { registerInjection } from './tools/injection.ts';
import { registerMask } from './tools/mask.ts';
import { registerRag } from './tools/rag.ts';
import { registerRestore } from './tools/restore.ts';
import { registerStatus } from './tools/status.ts';

/** A server for one connection (stdio) or one request (HTTP). Its tools and prompts never change. */
export function createToolServer(context: ToolContext): McpServer {
  const { words } = context;
  const server = new McpServer(
    { name: 'privet', title: 'Privet', version: context.version },
    {
      instructions: words.instructions,
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        // No notifications when sessions change: a server that lives for one request could not send them.
        resources: { listChanged: false },
      },
      maxToolInputElements: 50_000,
    },
  );
  registerDetect(server, context);
  registerMask(server, context);
  registerRestore(server, context);
  registerInjection(server, context);
  registerRag(server, context);
  registerStatus(server, context);
  registerResources(server, context);
  registerPrompt(server, context);
  return server;
}
