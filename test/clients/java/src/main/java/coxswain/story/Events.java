package coxswain.story;

import static coxswain.story.TestNamespace.STORY;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** What happened to an object, said of it. The client has no recorder of its own. */
final class Events {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

  private Events() {}

  static void events(TestNamespace namespace) {
    NonNamespaceOperation<Event, EventList, Resource<Event>> events =
        namespace.client().events().v1().events().inNamespace(namespace.name());
    Event told = events.resource(event(namespace, STORY)).create();
    events.resource(event(namespace, "another")).create();

    List<Event> found = events.withField("regarding.name", STORY).list().getItems();
    Check.equal(List.of(told), found, "events of the object");
    Check.equal("Told", found.get(0).getReason(), "reason");

    events.delete();
    Check.equal(List.of(), events.list().getItems(), "events that are left");
  }

  private static Event event(TestNamespace namespace, String regarding) {
    return new EventBuilder()
        .withNewMetadata()
        .withGenerateName(regarding + "-")
        .withNamespace(namespace.name())
        .endMetadata()
        .withType("Normal")
        .withReason("Told")
        .withAction("Telling")
        .withNote("The story was told")
        .withEventTime(new MicroTime(ZonedDateTime.now(ZoneOffset.UTC).format(MICROS)))
        .withReportingController("example.com/story")
        .withReportingInstance("story-1")
        .withNewRegarding()
        .withApiVersion("batch/v1")
        .withKind("CronJob")
        .withNamespace(namespace.name())
        .withName(regarding)
        .endRegarding()
        .build();
  }
}
