import { type Group, lineIcon } from '@millrace/plugin-kit';

const spark = ['M12 4l1.8 5.2L19 11l-5.2 1.8L12 18l-1.8-5.2L5 11l5.2-1.8z', 'M18 16v4', 'M16 18h4'];
const chat = ['M4 5h16v11h-9l-5 4v-4H4z', 'M8 9h8', 'M8 12h5'];
const shapes = {
  agent: ['M7 9h10v9H7z', 'M12 9V5', 'M10 13h.01', 'M14 13h.01', 'M4 12v3', 'M20 12v3'],
  provider: ['M5 8h14v8H5z', 'M9 8V5', 'M15 8V5', 'M9 19v-3', 'M15 19v-3'],
  tool: ['M14 6a4 4 0 0 0-5 5l-5 5 3 3 5-5a4 4 0 0 0 5-5l-2 2-3-3z'],
  memory: ['M5 6h14v12H5z', 'M9 6v12', 'M13 10h3', 'M13 14h3'],
  embeddings: [
    'M6 6h.01',
    'M12 9h.01',
    'M18 6h.01',
    'M8 15h.01',
    'M16 14h.01',
    'M6 6l6 3 6-3',
    'M8 15l4-6 4 5',
  ],
  rag: ['M5 4h9l5 5v11H5z', 'M14 4v5h5', 'M9 14h6', 'M9 17h4'],
  retriever: ['M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12', 'M15.5 15.5L20 20'],
  mcp: ['M8 12h8', 'M5 9v6', 'M19 9v6', 'M8 7v10', 'M16 7v10'],
} as const;

const group = (name: string, title: string, description: string, paths: readonly string[]): Group => ({
  group: name,
  title,
  description,
  icon: lineIcon(...paths),
  categories: ['AI'],
});

export const groups: readonly Group[] = [
  group('ai', 'AI', 'Language models, agents, tools, memories and retrieval.', spark),
  group('ai.agent', 'AI agents', 'Agents that use tools.', shapes.agent),
  group('ai.completion', 'AI completions', 'Chat, classification, extraction and images.', chat),
  group('ai.provider', 'Model providers', 'Services with language models.', shapes.provider),
  group('ai.tool', 'Tools', 'What a model may call.', shapes.tool),
  group('ai.memory', 'Memories', 'Where conversations are remembered.', shapes.memory),
  group('ai.embeddings', 'Embedding stores', 'Where texts and their embeddings are kept.', shapes.embeddings),
  group('ai.rag', 'Retrieval', 'Store documents, search them and ask about them.', shapes.rag),
  group('ai.retriever', 'Content retrievers', 'Texts that are added to a prompt.', shapes.retriever),
  group('ai.mcp', 'MCP', 'Calls of MCP servers without a model.', shapes.mcp),
  group('ai.observability', 'Observability', 'Where traces are sent.', shapes.retriever),
  group('openai', 'OpenAI', 'Chat, responses, images and files of OpenAI.', chat),
  group('anthropic', 'Anthropic', 'Messages, files and models of Anthropic.', chat),
  group('gemini', 'Google Gemini', 'Texts, JSON, images and videos of Gemini.', spark),
  group('mistral', 'Mistral AI', 'Chat and workflows of Mistral AI.', chat),
  group('deepseek', 'DeepSeek', 'Chat of DeepSeek.', chat),
  group('perplexity', 'Perplexity', 'Answers with a search of the web.', shapes.retriever),
  group('huggingface', 'Hugging Face', 'Models of the Inference API.', shapes.provider),
  group('ollama', 'Ollama', 'Models on your own machines.', shapes.provider),
  group('ollama.cli', 'Ollama CLI', 'Commands of ollama.', shapes.provider),
];
