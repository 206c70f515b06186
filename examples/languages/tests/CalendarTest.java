import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

class Calendar implements BeforeEachCallback, AfterTestExecutionCallback, AfterEachCallback {
  private static final String SERVER = System.getenv().getOrDefault("UNDERSTUDY_URL", "http://127.0.0.1:8080");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private String name;

  private static HttpResponse<String> send(String method, String url, String body) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url))
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(body))
        .build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  private String url() {
    return SERVER + "/__sandbox/" + name;
  }

  HttpResponse<String> qa(String method, String path, String body) throws Exception {
    return send(method, url() + "/__qa/" + path, body);
  }

  HttpResponse<String> events() throws Exception {
    return send("GET", url() + "/wp-json/tribe/events/v1/events", "");
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    name = "java-" + UUID.randomUUID().toString().substring(0, 12);
    send("PUT", SERVER + "/__qa/sandboxes/" + name, "");
  }

  @Override
  public void afterTestExecution(ExtensionContext context) throws Exception {
    if (context.getExecutionException().isPresent()) System.err.println(qa("GET", "journal", "").body());
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    send("DELETE", SERVER + "/__qa/sandboxes/" + name, "");
  }
}

class CalendarTest {
  @RegisterExtension final Calendar calendar = new Calendar();

  @Test
  void pastEventsLeaveTheList() throws Exception {
    calendar.qa("POST", "seed", "{\"events\": [{\"title\": \"Fair\", \"start\": \"+1d 10:00\", \"duration\": \"2h\"}]}");
    assertTrue(calendar.events().body().contains("\"title\":\"Fair\""));
    calendar.qa("PUT", "clock", "{\"advance\": \"3 days\"}");
    assertTrue(calendar.events().body().contains("\"events\":[]"));
  }

  @Test
  void theCalendarIsDown() throws Exception {
    calendar.qa("POST", "faults", "{\"effect\": {\"status\": 503}}");
    HttpResponse<String> response = calendar.events();
    assertEquals(503, response.statusCode());
    assertTrue(response.body().contains("<html"));
  }
}
